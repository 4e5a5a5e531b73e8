/// What the verdict on one stored row stood on, or on a right that no row is about: both sides, in
/// values that can be kept.
package struct JudgedRight: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable {
        case consistent, finding, settling, unverified
        case notJudged = "not_judged"
    }

    /// Nil: the right is due, and no row is about it.
    package var row: StoredEntitlement?
    /// `group:NAME` or `product:NAME`.
    package var right: String
    package var outcome: Outcome
    /// The kind of the finding, or of the one that it would have been.
    package var kind: FindingKind?
    /// Why it was put off.
    package var cause: NotReported.Cause?
    /// Nil: no purchase gives the right, or ever did.
    package var apple: AppleSide?
    /// How many other purchases give the right, or did.
    package var others: Int
    /// What the receipts say of an app that was paid for once, as a part of a sentence.
    package var paidApp: String?

    package init(
        row: StoredEntitlement?, right: String, outcome: Outcome, kind: FindingKind? = nil,
        cause: NotReported.Cause? = nil, apple: AppleSide? = nil, others: Int = 0,
        paidApp: String? = nil
    ) {
        self.row = row
        self.right = right
        self.outcome = outcome
        self.kind = kind
        self.cause = cause
        self.apple = apple
        self.others = others
        self.paidApp = paidApp
    }
}

extension JudgedRight {
    init(_ rowCase: RowCase, _ verdict: Verdict) {
        self.init(
            row: rowCase.row, right: rowCase.right.reference, outcome: .consistent,
            apple: rowCase.best.map(AppleSide.init), others: max(0, rowCase.grantors.count - 1),
            paidApp: rowCase.paidApp?.facts(isOffline: rowCase.user.settings.isOffline))
        switch verdict {
        case .consistent: break
        case .found(let rule):
            outcome = .finding
            kind = rule.kind
        case .putOff(let bucket, let would, let why):
            outcome = Outcome(rawValue: bucket.rawValue) ?? .notJudged
            kind = would
            cause = why
        }
    }
}

extension FirstTable {
    /// What each verdict stood on.
    var judgedRights: [JudgedRight] { all.map { JudgedRight($0.rowCase, $0.verdict) } }
}
