/// One line of SPEC §5's first table: what is wrong with one stored row, or with a right that no
/// row grants. The kinds are in `Rules`, a file each; `RowRules` has their order.
struct RowRule: Sendable {
    /// What a rule is asked about.
    enum Subject: Sendable {
        /// A row that grants. Where it grants no more, the finding is over.
        case grantedRow
        /// A right that is due and not granted. Where it is granted, the finding is over.
        case owedRight
    }

    /// The event that a finding tells of, which is then not reported beside it.
    struct Event: Sendable {
        let finding: @Sendable (RowCase) -> Finding?
        /// Whether later runs take the event for reported.
        let countsAsReported: Bool
    }

    let kind: FindingKind
    let subject: Subject
    /// When it matches, in plain words.
    let when: String
    /// A `legacy_paid` row is judged by such rules only.
    let isAboutPaidApps: Bool
    /// Since when it is so. A finding whose cause is younger than `--settle` is left to settle;
    /// one without a cause never is.
    let cause: @Sendable (RowCase) -> Instant?
    /// Whether the row names what was cancelled: then nothing that is missing can answer it.
    let needsOnlyTheAnswer: @Sendable (RowCase) -> Bool
    let matches: @Sendable (RowCase) -> Bool
    let event: Event?
    /// Of an open finding that was not judged: what is stored shows that it is no longer true,
    /// whatever Apple would say.
    let isUndone: @Sendable (RowCase) -> Bool
    /// The same for an offline run, beside the purchases that Apple has signed.
    let isUndoneOffline: @Sendable (RowCase) -> Bool
    /// One plain sentence: what Apple says, what is stored, and the rule that sets them apart.
    let sentence: @Sendable (RowCase) -> String

    init(
        _ kind: FindingKind, of subject: Subject, when: String, isAboutPaidApps: Bool = false,
        cause: @escaping @Sendable (RowCase) -> Instant?,
        needsOnlyTheAnswer: @escaping @Sendable (RowCase) -> Bool = { _ in false },
        matches: @escaping @Sendable (RowCase) -> Bool,
        event: Event? = nil,
        isUndone: @escaping @Sendable (RowCase) -> Bool = { _ in false },
        isUndoneOffline: @escaping @Sendable (RowCase) -> Bool = { _ in false },
        sentence: @escaping @Sendable (RowCase) -> String
    ) {
        self.kind = kind
        self.subject = subject
        self.when = when
        self.isAboutPaidApps = isAboutPaidApps
        self.cause = cause
        self.needsOnlyTheAnswer = needsOnlyTheAnswer
        self.matches = matches
        self.event = event
        self.isUndone = isUndone
        self.isUndoneOffline = isUndoneOffline
        self.sentence = sentence
    }
}

/// What SPEC §5's table names as the cause of a finding.
enum Cause {
    static let never: @Sendable (RowCase) -> Instant? = { _ in nil }
    /// When the right ended: of what was revoked, the cancellation.
    static let end: @Sendable (RowCase) -> Instant? = { $0.best?.endsAt }
    /// The latest of the end, a grace period's end and any cancellation in the chain or stack.
    static let gone: @Sendable (RowCase) -> Instant? = { $0.best?.goneAt }
    /// The covering transaction's purchase date.
    static let bought: @Sendable (RowCase) -> Instant? = { $0.best?.covering.purchasedAt }
    /// The covering transaction's expiry.
    static let expiry: @Sendable (RowCase) -> Instant? = { $0.best?.covering.expiresAt }
    /// The row's `updated_at`.
    static let row: @Sendable (RowCase) -> Instant? = { $0.row?.updatedAt }
}
