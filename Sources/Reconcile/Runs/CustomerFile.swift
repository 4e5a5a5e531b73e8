/// Everything known about one user in one run, for `explain`.
package struct CustomerFile: Sendable {
    package let run: KnownRun
    package let user: UserID
    /// False for a user with no stored rows or out of scope.
    package var isJudged = true
    /// The judged rights and their facts; nil when none were kept.
    package var rights: [JudgedRight]?
    package var findings: [ReportedFinding] = []
    package var receipts: [CheckedReceipt] = []
    /// The history of findings over all runs, the oldest first.
    package var nights: [Night] = []
    package var answers: [ShownAnswer] = []
    package var mayReadAnswers = true
    /// Apple's current answers; nil without `--live`.
    package var live: Live?
    /// The id of the requested finding; empty when a user was requested.
    package var finding = ""

    package init(run: KnownRun, user: UserID) {
        self.run = run
        self.user = user
    }

    package struct CheckedReceipt: Hashable, Sendable {
        package var id: ReceiptID
        package var bundle: BundleID?
        /// `verified`, `rejected`, `unusable` or `unverified`; nil when the outcome was pruned.
        package var outcome: String?
        package var cause: String?
        package var environment: StoreEnvironment?
        package var answeredAt: Instant?
        package var lastStatus: Int?
        package var detail: String?

        package init(
            id: ReceiptID, bundle: BundleID?, outcome: String?, cause: String?,
            environment: StoreEnvironment?, answeredAt: Instant?, lastStatus: Int?,
            detail: String?
        ) {
            self.id = id
            self.bundle = bundle
            self.outcome = outcome
            self.cause = cause
            self.environment = environment
            self.answeredAt = answeredAt
            self.lastStatus = lastStatus
            self.detail = detail
        }
    }

    /// The result of asking Apple now. It is not stored.
    package struct Live: Sendable {
        package var at: Instant
        package var rights: [JudgedRight]
        /// Excludes events reported earlier.
        package var findings: [ReportedFinding]
        package var receipts: [CheckedReceipt]
    }

    package struct Night: Hashable, Sendable {
        package var at: Instant
        /// Nil for an operator's action.
        package var run: RunID?
        package var finding: String
        package var kind: FindingKind?
        /// `new`, `persisting`, `reopened`, `accepted`, `cleared` or an operator's action.
        package var what: String

        package init(
            at: Instant, run: RunID?, finding: String, kind: FindingKind?, what: String
        ) {
            self.at = at
            self.run = run
            self.finding = finding
            self.kind = kind
            self.what = what
        }
    }

    /// A kept answer of Apple, parsed again.
    package struct ShownAnswer: Sendable {
        package var run: RunID
        package var receipt: ReceiptID?
        package var answeredAt: Instant?
        package var environment: StoreEnvironment
        /// SHA-256 of the body, in hexadecimal.
        package var digest: String
        /// Nil when this release cannot parse it.
        package var shows: Receipt?

        package init(
            run: RunID, receipt: ReceiptID?, answeredAt: Instant?, environment: StoreEnvironment,
            digest: String, shows: Receipt?
        ) {
            self.run = run
            self.receipt = receipt
            self.answeredAt = answeredAt
            self.environment = environment
            self.digest = digest
            self.shows = shows
        }
    }
}

extension ReportedFinding {
    /// Whether the finding is the verdict on `right`.
    package func isAbout(_ right: JudgedRight) -> Bool {
        right.outcome == .finding && finding.kind == right.kind
            && finding.entitlement == right.row?.id
            && (right.row != nil || finding.reference == right.right)
    }
}

extension JudgedRight {
    /// The verdict as one sentence: the explanation of its finding if there is one.
    package func sentence(asOf: Instant, among findings: [ReportedFinding]) -> String {
        findings.first { $0.isAbout(self) }?.finding.explanation ?? sentence(asOf: asOf)
    }
}
