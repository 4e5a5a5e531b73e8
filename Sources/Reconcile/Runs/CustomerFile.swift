/// All that is known of one customer in one run: what `explain` tells.
package struct CustomerFile: Sendable {
    package let run: KnownRun
    package let user: UserID
    /// Whether the run has judged the user. False for one of whom nothing was stored, or who
    /// was out of scope.
    package var isJudged = true
    /// What the verdicts stood on; nil where nothing was kept of them.
    package var rights: [JudgedRight]?
    /// Of the run.
    package var findings: [ReportedFinding] = []
    package var receipts: [CheckedReceipt] = []
    /// What runs found, cleared and were told to accept, the oldest first.
    package var nights: [Night] = []
    /// Apple's newest kept answers.
    package var answers: [ShownAnswer] = []
    /// Whether the database role may read kept answers.
    package var mayReadAnswers = true
    /// What Apple says now; nil where it was not asked.
    package var live: Live?
    /// The finding that was asked about; empty: the customer was.
    package var finding = ""

    package init(run: KnownRun, user: UserID) {
        self.run = run
        self.user = user
    }

    /// A stored receipt, and what the run learned of it.
    package struct CheckedReceipt: Hashable, Sendable {
        package var id: ReceiptID
        package var bundle: BundleID?
        /// `verified`, `rejected`, `unusable` or `unverified`; nil where it was removed.
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

    /// What asking Apple now came to. Nothing of it is kept.
    package struct Live: Sendable {
        package var at: Instant
        package var rights: [JudgedRight]
        /// Without the events that were told before.
        package var findings: [ReportedFinding]
        package var receipts: [CheckedReceipt]

        package init(
            at: Instant, rights: [JudgedRight], findings: [ReportedFinding],
            receipts: [CheckedReceipt]
        ) {
            self.at = at
            self.rights = rights
            self.findings = findings
            self.receipts = receipts
        }
    }

    /// What became of a finding at an instant.
    package struct Night: Hashable, Sendable {
        package var at: Instant
        /// Nil for what an operator did.
        package var run: RunID?
        package var finding: String
        package var kind: FindingKind?
        /// `new`, `persisting`, `reopened`, `accepted` or `cleared`; or what an operator did.
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

    /// A kept answer of Apple's, read again.
    package struct ShownAnswer: Sendable {
        package var run: RunID
        package var receipt: ReceiptID?
        package var answeredAt: Instant?
        package var environment: StoreEnvironment
        /// SHA-256 of the body, in hexadecimal.
        package var digest: String
        /// Nil: this release cannot read it.
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
    /// Whether it is what the verdict on `right` came to.
    package func isAbout(_ right: JudgedRight) -> Bool {
        right.outcome == .finding && finding.kind == right.kind
            && finding.entitlement == right.row?.id
            && (right.row != nil || finding.reference == right.right)
    }
}

extension JudgedRight {
    /// What it comes to, as one sentence: that of its finding among `findings`, if it has one.
    package func sentence(asOf: Instant, among findings: [ReportedFinding]) -> String {
        findings.first { $0.isAbout(self) }?.finding.explanation ?? sentence(asOf: asOf)
    }
}
