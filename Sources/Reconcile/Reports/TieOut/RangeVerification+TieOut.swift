/// What the days of a tie-out add up to must be its lines of all days and its summary.
extension RangeVerification {
    /// What `summary.json` says of the comparison.
    fileprivate struct Stated {
        let from: String?
        let to: String?
        let tolerance: Tolerance
        let days: Int
        let missing: Set<String>
        let counts: [(name: String, count: Int?)]
        let shares: [String?]
    }

    mutating func checkTieOut() {
        var lines: [TieOutLine] = []
        let isWhole = check(
            "tie_out", TieOutLine.columns, precedes: { $0.key < $1.key },
            inspect: { line in
                lines.append(line)
                return nil
            })
        guard let bytes = contents("summary.json") else { return }
        guard let stated = (try? JSONNode(bytes)).flatMap({ Stated($0) }) else {
            return fail("summary.json: is not a tie-out's summary.")
        }
        let days = manifest.days.all.filter { !stated.missing.contains($0.dayText) }
        if stated.from != manifest.days.firstText || stated.to != manifest.days.lastText {
            fail("summary.json: from and to are not those of manifest.json.")
        }
        if stated.days != days.count {
            fail("summary.json: days is \(stated.days), but \(days.count) are not missing.")
        }
        guard isWhole else { return }
        if let fault = fault(in: lines, of: Set(days), within: stated.tolerance) {
            fail("tie_out.csv: \(fault).")
        }
        compare(stated, with: lines)
    }

    /// What is wrong with the lines of all days or a verdict; the first only.
    private func fault(
        in lines: [TieOutLine], of days: Set<Instant>, within tolerance: Tolerance
    ) -> String? {
        var sums = UnitSums(of: days)
        for line in lines {
            guard let day = line.key.day else { continue }
            guard days.contains(day) else { return "\(line.shown) is of a day that is missing" }
            sums.add(line.units, to: line.key)
        }
        let expected = Dictionary(
            sums.lines(within: tolerance).map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        for line in lines {
            guard let sum = expected[line.key] else { return "\(line.shown) has no days" }
            guard line.units.apple == sum.units.apple, line.units.ours == sum.units.ours else {
                return "the days of \(line.shown) add up to \(sum.units.apple) and"
                    + " \(sum.units.ours), not \(line.units.apple) and \(line.units.ours)"
            }
            // A day on which only that happened has no line.
            guard line.units.aside >= sum.units.aside else {
                return "the days of \(line.shown) have more aside, \(sum.units.aside)"
            }
            guard line.verdict == sum.verdict else {
                return "\(line.shown) is \(line.verdict.rawValue), not \(sum.verdict.rawValue)"
            }
        }
        guard expected.count == lines.count else {
            return "\(expected.count - lines.count) lines are missing or there twice"
        }
        return nil
    }

    private mutating func compare(_ stated: Stated, with lines: [TieOutLine]) {
        let sums = UnitMeasure.allCases.map { TieOut.Sum(of: $0, in: lines) }
        let verdicts: [TieOutLine.Verdict] = [.tied, .appleHasMore, .oursHasMore]
        let added =
            sums.flatMap { [$0.apple, $0.ours, $0.matched] }
            + verdicts.map { verdict in
                lines.count { $0.key.day == nil && $0.verdict == verdict }
            }
        for ((name, count), sum) in zip(stated.counts, added) where count != sum {
            let said = count.map(String.init) ?? "missing"
            fail("summary.json: \(name) is \(said), but tie_out.csv adds up to \(sum).")
        }
        if stated.shares != sums.map(\.share?.text) {
            fail("summary.json: a share is not matched divided by apple.")
        }
    }
}

extension RangeVerification.Stated {
    fileprivate init?(_ summary: JSONNode) {
        guard let tolerance = summary["within"]?.string.flatMap(Tolerance.init),
            let days = summary["days"]?.integer, let missing = summary["missing_days"],
            let ofApple = missing["apple"]?.elements?.compactMap(\.string),
            let ofOurs = missing["ours"]?.elements?.compactMap(\.string)
        else { return nil }
        from = summary["from"]?.string
        to = summary["to"]?.string
        self.tolerance = tolerance
        self.days = days
        self.missing = Set(ofApple + ofOurs)
        let refunded = summary["refunded"]
        let sold = summary["sold"]
        let verdicts = summary["verdicts"]
        counts = [
            ("refunded.apple", refunded?["apple"]?.integer),
            ("refunded.ours", refunded?["ours"]?.integer),
            ("refunded.matched", refunded?["matched"]?.integer),
            ("sold.apple", sold?["apple"]?.integer),
            ("sold.ours", sold?["ours"]?.integer),
            ("sold.matched", sold?["matched"]?.integer),
            ("verdicts.tied", verdicts?["tied"]?.integer),
            ("verdicts.apple_has_more", verdicts?["apple_has_more"]?.integer),
            ("verdicts.ours_has_more", verdicts?["ours_has_more"]?.integer),
        ]
        shares = [refunded?["share"]?.string, sold?["share"]?.string]
    }
}

extension TieOutLine {
    /// For a message.
    fileprivate var shown: String {
        let day = key.day?.dayText ?? "all days"
        return "\(HTML.excerpt(key.product.text)), \(key.measure.rawValue), of \(day)"
    }
}
