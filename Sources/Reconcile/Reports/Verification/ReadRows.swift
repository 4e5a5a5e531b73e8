extension ReportedFinding: ReadableRow {
    package func naming(likeIn other: ReportedFinding) -> ReportedFinding? {
        let sentence = other.finding.explanation
        guard Erasure.isUnnamed(finding.explanation, from: sentence) else { return nil }
        var named = self
        named.finding.explanation = sentence
        return named
    }

    package var name: String { "finding \(id)" }

    package init?(cells: [String?]) {
        var row = ReportedFinding.blank
        for (column, text) in zip(FindingColumn.reported, cells)
        where column.scope == .tableAndReports {
            guard let cell = Cell(text, of: column.type), column.take(&row, cell) else {
                return nil
            }
        }
        self = row
    }
}

extension UnverifiedReceipt: ReadableRow {
    package var name: String { "receipt \(receipt?.text ?? "")" }

    package init?(cells: [String?]) {
        guard let cause = cells[3], let attempts = cells[4].flatMap(Int.init),
            let affected = cells[8].flatMap(Int.init)
        else { return nil }
        self.init(
            receipt: cells[0].map { ReceiptID($0) }, user: cells[1].map { UserID($0) },
            bundle: cells[2].map { BundleID($0) }, cause: cause, attempts: attempts,
            lastStatus: cells[5].flatMap(Int.init), lastHTTPStatus: cells[6].flatMap(Int.init),
            detail: cells[7], entitlementsAffected: affected)
    }
}

extension NotReportedRow: ReadableRow {
    package var name: String { "entitlement \(notReported.entitlement?.text ?? "")" }

    package init?(cells: [String?]) {
        guard let bucket = cells[2].flatMap(NotReported.Bucket.init),
            let cause = cells[4].flatMap(NotReported.Cause.init)
        else { return nil }
        let kind = cells[3].flatMap(FindingKind.init)
        guard kind != nil || cells[3] == nil else { return nil }
        self.init(
            user: cells[0].map { UserID($0) },
            notReported: NotReported(
                entitlement: cells[1].map { EntitlementID($0) }, bucket: bucket, kind: kind,
                cause: cause))
    }
}

extension Cell {
    /// Nil when `text` is not a value of that type.
    fileprivate init?(_ text: String?, of type: Cell) {
        switch type {
        case .text: self = .text(text)
        case .decimal: self = .decimal(text)
        case .digest: self = .digest(text)
        case .integer:
            let number = text.flatMap(Int.init)
            guard number != nil || text == nil else { return nil }
            self = .integer(number)
        case .boolean:
            guard text == nil || text == "true" || text == "false" else { return nil }
            self = .boolean(text.map { $0 == "true" })
        case .instant:
            let instant = text.flatMap(Instant.init(printed:))
            guard instant != nil || text == nil else { return nil }
            self = .instant(instant)
        case .day:
            let day = text.flatMap(Instant.init(printedDay:))
            guard day != nil || text == nil else { return nil }
            self = .day(day)
        }
    }
}

extension FindingTotal: ReadableRow {
    package var name: String { "the total of \(group.kind.rawValue)" }

    package init?(cells: [String?]) {
        guard let kind = cells[4].flatMap(FindingKind.init),
            let direction = cells[5].flatMap(Direction.init),
            let lifecycle = cells[6].flatMap(Lifecycle.init), let count = cells[7].flatMap(Int.init)
        else { return nil }
        let days = cells[..<2].map { $0.flatMap(Instant.init(printedDay:)) }
        guard zip(days, cells).allSatisfy({ ($0 == nil) == ($1 == nil) }) else { return nil }
        let group = Group(
            eventDay: days[0], eventDayPacific: days[1], bundle: cells[2].map { BundleID($0) },
            product: cells[3].map { ProductID($0) }, kind: kind, direction: direction,
            lifecycle: lifecycle, currency: cells[9])
        self.init(group, count: count, amount: cells[8])
    }
}

extension Instant {
    fileprivate init?(printedDay text: String) {
        let isFinite = ![Instant.distantFuture, .distantPast].map(\.description).contains(text)
        self.init(printed: isFinite ? text + "T00:00:00Z" : text)
    }

    fileprivate init?(printed text: String) {
        switch text {
        case Instant.distantFuture.description: self = .distantFuture
        case Instant.distantPast.description: self = .distantPast
        default:
            if let instant = Instant(rfc3339: text) {
                self = instant
            } else if let instant = Instant(distantYear: text) {
                self = instant
            } else {
                return nil
            }
        }
    }

    /// Parses a year that RFC 3339 cannot write; the calendar repeats every 400 years.
    private init?(distantYear text: String) {
        let rest = text.suffix(16)
        guard let year = Int(text.dropLast(16)),
            let near = Instant(rfc3339: String(2_000 + ((year % 400) + 400) % 400) + rest)
        else { return nil }
        let cycles = (year - 2_000 - ((year % 400) + 400) % 400) / 400
        self = near.advanced(byMilliseconds: Int64(cycles) * 146_097 * 86_400_000)
    }
}
