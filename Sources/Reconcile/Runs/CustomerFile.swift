package struct CustomerFile: Sendable {
    package let run: RunListing
    /// Nil for the file of a finding without a user, such as an unknown product.
    package let user: UserID?
    /// False for a user with no stored rows or out of scope.
    var isJudged = true
    /// The judged rights and their facts; nil when none were kept.
    var rights: [JudgedRight]?
    package var findings: [ReportedFinding] = []
    var receipts: [CheckedReceipt] = []
    /// The history of findings over all runs, the oldest first.
    var changes: [Change] = []
    var answers: [ShownAnswer] = []
    var mayReadAnswers = true
    /// Apple's current answers; nil without `--live`.
    package var live: Live?
    /// The id of the requested finding; empty when a user was requested.
    package var finding = ""

    struct CheckedReceipt: Hashable, Sendable {
        var id: ReceiptID
        var bundle: BundleID?
        /// `verified`, `rejected`, `unusable` or `unverified`; nil when the outcome was pruned.
        var outcome: String?
        var cause: String?
        /// The server that was asked last.
        var server: AppleServer?
        /// The source that was to be asked, where no server was.
        var namedSource: AnswerSource?
        var answeredAt: Instant?
        var lastStatus: Int?
        var detail: String?

        /// Whose answer the outcome is.
        var source: AnswerSource? { server?.source ?? namedSource }
    }

    package struct Live: Sendable {
        var at: Instant
        var rights: [JudgedRight]
        /// Excludes events reported earlier.
        var findings: [ReportedFinding]
        /// A receipt that several answers stand for has a line for each.
        var receipts: [CheckedReceipt]
    }

    struct Change: Hashable, Sendable {
        var at: Instant
        /// Nil for an operator's action.
        var run: RunID?
        var finding: String
        var kind: FindingKind?
        /// `new`, `persisting`, `reopened`, `accepted`, `cleared` or an operator's action.
        var what: String
    }

    struct ShownAnswer: Sendable {
        var run: RunID
        var receipt: ReceiptID?
        var answeredAt: Instant?
        var server: AppleServer
        /// SHA-256 of the body, in hexadecimal.
        var digest: String
        /// Nil when this release cannot parse it.
        var shows: Receipt?
    }
}

extension CustomerFile {
    /// Whose answer shows Apple's side of a right; nil where the receipt itself does.
    func source(of apple: AppleSide) -> AnswerSource? {
        apple.source ?? (run.run.isOffline ? nil : .verifyReceipt)
    }
}

extension ReportedFinding {
    func isAbout(_ right: JudgedRight) -> Bool {
        right.outcome == .finding && finding.kind == right.kind
            && finding.entitlement == right.row?.id
            && (right.row != nil || finding.reference == right.right)
    }
}

extension JudgedRight {
    /// The verdict as one sentence: the explanation of its finding if there is one.
    func sentence(asOf: Instant, among findings: [ReportedFinding]) -> String {
        findings.first { $0.isAbout(self) }?.finding.explanation ?? sentence(asOf: asOf)
    }
}
