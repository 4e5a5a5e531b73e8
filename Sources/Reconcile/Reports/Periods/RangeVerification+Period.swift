/// What a period's tables add up to must be its summary, byte for byte.
extension RangeVerification {
    /// What the rows do not say, as the summary states it.
    fileprivate struct Stated {
        let app: BundleID?
        let isOpen: Bool
        let runs: [RunID]
        let opening: PeriodSummary.Standing?
        let closing: PeriodSummary.Standing
        let withoutAmount: [String: Int]
        /// Refunds without an amount: of those that several users hold one counts, and no column
        /// says which rows are about one.
        let withoutCurrency: [PeriodTally.Group: PeriodTally.Refunds]
    }

    mutating func checkPeriod() {
        let bytes = contents("summary.json")
        let stated = bytes.flatMap { try? JSONNode($0) }.flatMap { Stated($0) }
        var movements: [Movement] = []
        var isWhole = check(
            "movements", Movement.columns, precedes: { $0.comesBefore($1) },
            inspect: { line in
                movements.append(line)
                let isForeign = stated?.app.map { $0 != line.line.app } ?? false
                return isForeign ? "it is of another app" : line.difference
            })
        var rows = PeriodRows(days: manifest.days, app: stated?.app)
        for file in [FindingFile.refunds, .expirations] {
            let isFine = check(
                file.rawValue, PeriodEvent.columns(file),
                precedes: { $0.row.comesBefore($1.row) },
                inspect: { rows.note($0, in: file) })
            isWhole = isFine && isWhole
        }
        guard let bytes else { return }
        guard let stated else { return fail("summary.json: is not a period's summary.") }
        guard isWhole else { return }
        do throws(MoneyTally.Unsummable) {
            let summary = try self.summary(stated, movements, rows)
            compare(bytes, with: PeriodJSON.bytes(summary))
        } catch {
            fail("movements.csv: \(error.what).")
        }
    }

    private func summary(
        _ stated: Stated, _ movements: [Movement], _ rows: PeriodRows
    ) throws(MoneyTally.Unsummable) -> PeriodSummary {
        var tally = rows.tally
        for (group, most) in rows.withoutCurrency {
            // All of them may be further rows of refunds that another user holds.
            guard let counted = stated.withoutCurrency[group] else { continue }
            let isPossible =
                1...most.count ~= counted.count && 0...most.reversedCount ~= counted.reversedCount
            tally.refunds[group] = isPossible ? counted : most
        }
        let missing = tally.refunds.filter { $0.key.currency == nil }
            .reduce(0) { $0 + $1.value.count }
        let causes = stated.withoutAmount.values.reduce(0, +)
        tally.withoutAmount =
            causes == missing ? stated.withoutAmount : [PeriodTally.unknown: missing]
        func standing(
            _ known: PeriodSummary.Standing, _ flow: Movement.Flow
        ) throws(MoneyTally.Unsummable) -> PeriodSummary.Standing {
            let night = PeriodRuns.Night(run: known.run, asOf: known.asOf, isPruned: false)
            return try PeriodSummary.Standing(night, flow, movements)
        }
        var opening: PeriodSummary.Standing?
        if let known = stated.opening {
            var standing = try standing(known, .opening)
            standing.unjudged = min(known.unjudged, standing.findings)
            opening = standing
        }
        return PeriodSummary(
            FinancialPeriod(manifest.days, of: stated.app), isOpen: stated.isOpen,
            runs: stated.runs,
            opening: opening, closing: try standing(stated.closing, .closing), tally)
    }

    private mutating func compare(_ bytes: [UInt8], with expected: [UInt8]) {
        guard bytes != expected else { return }
        let stated = bytes.split(separator: 10, omittingEmptySubsequences: false)
        let lines = expected.split(separator: 10, omittingEmptySubsequences: false)
        let index = zip(stated, lines).enumerated().first { $1.0 != $1.1 }?.offset
        func text(_ lines: [ArraySlice<UInt8>]) -> String {
            guard let index else { return "\(lines.count) lines" }
            return String(decoding: lines[index].drop { $0 == 32 }, as: UTF8.self)
        }
        fail(
            "summary.json, line \((index ?? min(stated.count, lines.count)) + 1): it says"
                + " \(text(stated)), but the tables add up to \(text(lines)).")
    }
}

/// What the rows of a period's events say.
private struct PeriodRows {
    let days: PacificDays
    let app: BundleID?
    var tally = PeriodTally()
    var withoutCurrency: [PeriodTally.Group: PeriodTally.Refunds] = [:]

    init(days: PacificDays, app: BundleID?) {
        self.days = days
        self.app = app
    }

    /// Returns what is wrong with the row, or nil.
    mutating func note(_ event: PeriodEvent, in file: FindingFile) -> String? {
        let finding = event.finding
        guard PeriodEvent.kinds[file]?.contains(finding.kind) == true else {
            return "\(finding.kind.rawValue) does not belong here"
        }
        guard finding.eventAt.map(days.instants.contains) == true else {
            return "its event_at is not in the period"
        }
        if let app, finding.bundle != app { return "it is of another app" }
        if let reversedAt = event.reversedAt, reversedAt <= event.asOf {
            return "its reversed_at is not after the run that told it"
        }
        guard event.row.estimatedAmount != nil || event.what != .refund else {
            let group = PeriodTally.Group(
                app: finding.bundle, product: finding.productApple, currency: nil)
            var refunds = withoutCurrency[group] ?? PeriodTally.Refunds()
            refunds.count += 1
            refunds.reversedCount += event.reversedAt == nil ? 0 : 1
            withoutCurrency[group] = refunds
            return nil
        }
        do throws(MoneyTally.Unsummable) {
            try tally.add(event)
            return nil
        } catch {
            return error.what
        }
    }
}

extension RangeVerification.Stated {
    fileprivate init?(_ summary: JSONNode) {
        guard let period = summary["period"], let isOpen = period["open"]?.flag,
            let closing = summary["closing"].flatMap(PeriodSummary.Standing.init(stated:)),
            let runs = summary["runs"]?.elements?.compactMap(\.string),
            let refunds = summary["refunds"]?.elements
        else { return nil }
        app = period["bundle_id"]?.string.map { BundleID($0) }
        self.isOpen = isOpen
        self.runs = runs.map { RunID(text: $0) }
        self.closing = closing
        opening = summary["opening"].flatMap(PeriodSummary.Standing.init(stated:))
        var causes: [String: Int] = [:]
        for (cause, count) in Self.causes(summary["without_amount"]) { causes[cause] = count }
        withoutAmount = causes
        var others: [PeriodTally.Group: PeriodTally.Refunds] = [:]
        for line in refunds where line["currency"] == nil {
            let group = PeriodTally.Group(
                app: line["bundle_id"]?.string.map { BundleID($0) },
                product: line["product_id"]?.string.map { ProductID($0) }, currency: nil)
            others[group] = PeriodTally.Refunds(
                count: line["count"]?.integer ?? 0,
                reversedCount: line["reversed_count"]?.integer ?? 0)
        }
        withoutCurrency = others
    }

    private static func causes(_ stated: JSONNode?) -> [(String, Int)] {
        let counts = [
            ("no_price", stated?["no_price"]), ("offer_period", stated?["offer_period"]),
            ("no_cause", stated?["no_cause"]), ("accepted", stated?["accepted"]),
            ("counted_elsewhere", stated?["counted_elsewhere"]), ("unknown", stated?["unknown"]),
        ]
        return counts.compactMap { cause, node in node?.integer.map { (cause, $0) } }
    }
}

extension PeriodSummary.Standing {
    /// Of what `summary.json` states, what the tables do not say.
    fileprivate init?(stated: JSONNode) {
        guard let run = stated["run_id"]?.string,
            let asOf = stated["as_of"]?.string.flatMap(Instant.init(printed:))
        else { return nil }
        self.init(run: RunID(text: run), asOf: asOf)
        unjudged = stated["unjudged"]?.integer ?? 0
    }
}
