/// A rule about one stored row or one owed right. `RowRules` has the order.
///
/// A class: all rules are asked about nearly every row, and copying one costs more than asking it.
final class RowRule: Sendable {
    enum Subject: Sendable {
        case grantedRow
        /// A right that is owed. The finding is over when it is granted.
        case owedRight
    }

    /// An event that the finding mentions. It is not reported separately.
    struct Event: Sendable {
        let finding: @Sendable (RowCase) -> Finding?
        /// Whether the event counts as reported in later runs.
        let countsAsReported: Bool
    }

    let kind: FindingKind
    let subject: Subject
    /// The condition of `matches` in plain words.
    let when: String
    /// Whether the rule also applies to `legacy_paid` rows. These are judged by such rules only.
    let isAboutPaidApps: Bool
    /// A finding with a cause within `--settle` is settling; one without a cause never is.
    let cause: @Sendable (RowCase) -> Instant?
    /// Whether the row names the cancelled purchase: then missing evidence does not matter.
    let needsOnlyTheAnswer: @Sendable (RowCase) -> Bool
    let matches: @Sendable (RowCase) -> Bool
    let event: Event?
    /// For an open finding that cannot be judged: whether stored data alone shows that it is over.
    let isUndone: @Sendable (RowCase) -> Bool
    /// As `isUndone`, for an offline run, which also sees signed purchases.
    let isUndoneOffline: @Sendable (RowCase) -> Bool
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

enum CauseTime {
    static let never: @Sendable (RowCase) -> Instant? = { _ in nil }
    /// The end of the right; for a revoked right, the cancellation.
    static let end: @Sendable (RowCase) -> Instant? = { $0.best?.endsAt }
    /// The latest of the end, a grace period's end and any cancellation in the chain or stack.
    static let gone: @Sendable (RowCase) -> Instant? = { $0.best?.goneAt }
    static let bought: @Sendable (RowCase) -> Instant? = { $0.best?.covering.purchasedAt }
    static let expiry: @Sendable (RowCase) -> Instant? = { $0.best?.covering.expiresAt }
    static let row: @Sendable (RowCase) -> Instant? = { $0.row?.updatedAt }
}
