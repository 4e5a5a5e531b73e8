/// What a run over everything recorded, compared with what the database counted in the views, once
/// when the run was cut and once when it was closed.
///
/// The other controls add up what was recorded, so they balance when commits were lost, a table was
/// read empty, or users were left out. This comparison is the one that notices, whatever the cause.
package struct Coverage: Hashable, Sendable {
    package let planned: ViewCounts
    package let atClose: ViewCounts
    package let recorded: ViewCounts

    /// The column `guard`. There is no flag: a run that missed users cannot be believed.
    static let name = "coverage"

    /// One of the three counts.
    struct Count: Hashable, Sendable {
        /// `users`, `receipts` or `entitlements`, as in the summary.
        let name: String
        let planned: Int
        let atClose: Int
        let recorded: Int

        /// What changes on an ordinary night between reading a user and counting the views.
        static func tolerance(of count: Int) -> Int { max(10, count / 1_000) }

        var least: Int { min(planned, atClose) - Self.tolerance(of: min(planned, atClose)) }
        var most: Int { max(planned, atClose) + Self.tolerance(of: max(planned, atClose)) }
        var isWithinTolerance: Bool { (least...most).contains(recorded) }

        /// A table below the views was emptied, and perhaps not loaded again: what was recorded
        /// fits the smaller count, whatever it is. Fewer than twenty rows are no share.
        var isEmptied: Bool { planned >= 20 && atClose < planned / 2 }

        var tiesOut: Bool { isWithinTolerance && !isEmptied }
    }

    var counts: [Count] {
        [
            count("users", \.users), count("receipts", \.receipts),
            count("entitlements", \.entitlements),
        ]
    }

    private func count(_ name: String, _ value: KeyPath<ViewCounts, Int>) -> Count {
        Count(
            name: name, planned: planned[keyPath: value], atClose: atClose[keyPath: value],
            recorded: recorded[keyPath: value])
    }

    /// Why the run is held; empty when all three counts tie out.
    var reasons: [HeldReason] {
        counts.filter { !$0.tiesOut }.map {
            HeldReason(by: Self.name, flag: nil, reason: $0.sentence)
        }
    }
}

extension Coverage.Count {
    /// Counts what is missing from the smaller count of the views, or too many above the greater.
    fileprivate var sentence: String {
        isWithinTolerance ? sentenceOfEmptied : sentenceOfDeviation
    }

    private var sentenceOfEmptied: String {
        "the views had \(planned.grouped) \(name) when the run was cut, but"
            + " \(atClose.grouped) when it was closed: a table below them was emptied while the run"
            + " read it. Run again when it is loaded."
    }

    private var sentenceOfDeviation: String {
        let fewest = min(planned, atClose)
        let isShort = recorded < least
        let deviation =
            isShort
            ? "\((fewest - recorded).grouped) of \(fewest.grouped) \(name) are missing"
            : "\((recorded - max(planned, atClose)).grouped) \(name) too many"
        let cause =
            isShort
            ? "Rows moved to other users or were replaced while the run read them, or the database"
                + " lost commits in a failover."
            : "Rows moved to other users while the run read them, or a view shows rows repeatedly."
        return deviation + ": the run recorded \(recorded.grouped), and the views had"
            + " \(planned.grouped) when it was cut and \(atClose.grouped) when it was closed. "
            + cause + " Run again while no other session moves or replaces rows."
    }
}

extension Run {
    /// Guards hold a nightly run, and only report in a trial. Coverage holds both.
    func isHeld(by reasons: [HeldReason]) -> Bool {
        makesHistory ? !reasons.isEmpty : reasons.contains { $0.by == Coverage.name }
    }
}
