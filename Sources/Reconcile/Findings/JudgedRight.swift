/// The facts of both sides behind the verdict on one row, or on a right without a row.
struct JudgedRight: Hashable, Sendable {
    enum Outcome: String, Hashable, Sendable {
        case consistent, finding, settling, unverified
        case notJudged = "not_judged"
    }

    /// Nil for an owed right without a row.
    var row: StoredEntitlement?
    /// `group:NAME` or `product:NAME`.
    var right: String
    var outcome: Outcome
    var kind: FindingKind?
    var cause: NotReported.Cause?
    /// Nil when no purchase gives or gave the right.
    var apple: AppleSide?
    var others: Int = 0
    /// The receipts' facts about a paid app, as a part of a sentence.
    var paidApp: String?
}

extension JudgedRight {
    init(_ rowCase: RowCase, _ verdict: RowVerdict) {
        self.init(
            row: rowCase.row, right: rowCase.right.reference, outcome: .consistent,
            apple: rowCase.best.map(AppleSide.init), others: max(0, rowCase.grantors.count - 1),
            paidApp: rowCase.paidApp?.facts)
        switch verdict {
        case .consistent: break
        case .found(let rule):
            outcome = .finding
            kind = rule.kind
        case .notReported(let bucket, let would, let why):
            outcome = Outcome(rawValue: bucket.rawValue) ?? .notJudged
            kind = would
            cause = why
        }
    }
}

extension RowVerdicts {
    var judgedRights: [JudgedRight] { all.map { JudgedRight($0.rowCase, $0.verdict) } }
}
