import Testing

@testable import Reconcile

/// To add a case, copy a row of `nights`.
@Suite("The comparison of a run with the views")
struct CoverageTests {
    struct Night: CustomTestStringConvertible {
        let label: String
        let planned: Int
        let atClose: Int
        let recorded: Int
        /// The beginning of the reason; nil when the run is within the tolerance.
        let reason: String?

        init(
            _ label: String, planned: Int, atClose: Int, recorded: Int, _ reason: String? = nil
        ) {
            self.label = label
            self.planned = planned
            self.atClose = atClose
            self.recorded = recorded
            self.reason = reason
        }

        var testDescription: String { label }
    }

    static let nights = [
        Night("a calm night", planned: 400, atClose: 400, recorded: 400),
        Night("an empty world", planned: 0, atClose: 0, recorded: 0),
        Night("ten are missing", planned: 400, atClose: 400, recorded: 390),
        Night(
            "eleven are missing", planned: 400, atClose: 400, recorded: 389,
            "11 of 400 receipts are missing: the run recorded 389, and the views had 400 when it"
                + " was cut and 400 when it was closed. "),
        Night("ten too many", planned: 400, atClose: 400, recorded: 410),
        Night(
            "eleven too many", planned: 400, atClose: 400, recorded: 411,
            "11 receipts too many: the run recorded 411, and the views had 400"),
        Night(
            "a tenth of a percent is missing", planned: 50_000, atClose: 50_000, recorded: 49_950),
        Night(
            "over a tenth of a percent is missing", planned: 50_000, atClose: 50_000,
            recorded: 49_949, "51 of 50,000 receipts are missing: the run recorded 49,949,"),
        Night(
            "a fraction of a row is no row", planned: 50_999, atClose: 50_999, recorded: 50_948,
            "51 of 50,999 receipts are missing"),
        Night(
            "a tenth of a percent too many", planned: 50_000, atClose: 50_000, recorded: 50_050),
        Night(
            "over a tenth of a percent too many", planned: 50_000, atClose: 50_000,
            recorded: 50_051, "51 receipts too many"),
        Night("customers came, and were recorded", planned: 400, atClose: 600, recorded: 600),
        Night("customers came, and were not", planned: 400, atClose: 600, recorded: 400),
        Night("customers left after they were recorded", planned: 600, atClose: 400, recorded: 600),
        Night("customers left before", planned: 600, atClose: 400, recorded: 400),
        Night(
            "fewer than the smaller count", planned: 600, atClose: 400, recorded: 389,
            "11 of 400 receipts are missing"),
        Night(
            "more than the greater count", planned: 400, atClose: 600, recorded: 611,
            "11 receipts too many"),
        Night(
            "a table was emptied before the run read it", planned: 400, atClose: 0, recorded: 0,
            "the views had 400 receipts when the run was cut, but 0 when it was closed: a table"),
        Night(
            "a table was emptied while the run read it", planned: 400, atClose: 199, recorded: 300,
            "the views had 400 receipts when the run was cut, but 199 when it was closed"),
        Night("half of the rows were deleted", planned: 400, atClose: 200, recorded: 300),
        Night("nineteen rows were deleted", planned: 19, atClose: 0, recorded: 0),
        Night(
            "twenty rows were deleted", planned: 20, atClose: 0, recorded: 0,
            "the views had 20 receipts when the run was cut, but 0 when it was closed"),
    ]

    @Test(
        "A run may deviate from the counts of the views by ten or a tenth of a percent",
        arguments: nights)
    func tolerance(night: Night) {
        let reasons = coverage(night) { ViewCounts(users: 7, receipts: $0, entitlements: 3) }
            .reasons
        let beginnings = reasons.map { String($0.reason.prefix(night.reason?.count ?? 0)) }
        #expect(beginnings == [night.reason].compactMap(\.self))
    }

    @Test("Each of the three counts is compared, and named", arguments: nights)
    func counts(night: Night) {
        let coverage = coverage(night) { ViewCounts(users: $0, receipts: $0, entitlements: $0) }
        let names = night.reason == nil ? [] : ["users", "receipts", "entitlements"]
        #expect(coverage.counts.filter { !$0.tiesOut }.map(\.name) == names)
        #expect(coverage.reasons.count == names.count)
        for (reason, name) in zip(coverage.reasons, names) {
            #expect(reason.reason.contains(" \(name) "), "\(name)")
        }
    }

    @Test("A reason of coverage has no flag, and ends in what to do")
    func reason() {
        let night = Night("", planned: 400, atClose: 400, recorded: 0)
        let reasons = coverage(night) { ViewCounts(users: $0, receipts: $0, entitlements: $0) }
            .reasons
        #expect(reasons.map(\.by) == ["coverage", "coverage", "coverage"])
        #expect(reasons.map(\.flag) == [nil, nil, nil])
        #expect(reasons.map(\.sentence) == reasons.map(\.reason))
        let advice = "Run again while no other session moves or replaces rows."
        #expect(reasons.allSatisfy { $0.reason.hasSuffix(advice) })
    }

    @Test("Coverage holds a nightly run and a trial; other guards only a nightly run")
    func holds() {
        let night = Run.sample()
        let trial = Run(id: night.id, asOf: night.asOf, scope: .everything, isTrial: true)
        let coverage = HeldReason(by: "coverage", flag: nil, reason: "")
        let other = HeldReason(by: "stale", flag: "--guard-freshness", reason: "")
        #expect(night.isHeld(by: [coverage]))
        #expect(night.isHeld(by: [other]))
        #expect(!night.isHeld(by: []))
        #expect(trial.isHeld(by: [other, coverage]))
        #expect(!trial.isHeld(by: [other]))
    }

    private func coverage(_ night: Night, _ counts: (Int) -> ViewCounts) -> Coverage {
        Coverage(
            planned: counts(night.planned), atClose: counts(night.atClose),
            recorded: counts(night.recorded))
    }
}
