/// One way to learn what Apple says about a user's purchases. `docs/sources.md` says how one is
/// added.
package protocol AppleSource: Sendable {
    /// The source that the questions are sent by; nil if it sends none.
    var live: (any LiveSource)? { get }

    /// Resolves what needs no question, and says what to ask about the other rows.
    func inquiry(about rows: [StoredReceipt], of user: UserID) async throws -> Inquiry

    /// Answers open questions by what is known already, without asking.
    func recall(_ inquiry: inout Inquiry, of user: UserID) async throws

    /// Called after each answer: it may stand for further rows, or need a further question.
    func revise(_ inquiry: inout Inquiry, after question: Int)

    /// The check of Apple's signature on an answer; nil when it has none.
    /// - Parameter answer: was read from `body`.
    func signature(on body: AnswerBody, sayingThat answer: Receipt) -> AnswerSignature?

    /// Whether the signature on every answer is checked, not only on those that findings are based
    /// on.
    var checksEverySignature: Bool { get }
}

extension AppleSource {
    package func recall(_ inquiry: inout Inquiry, of user: UserID) async throws {}

    package func revise(_ inquiry: inout Inquiry, after question: Int) {}

    package func signature(
        on body: AnswerBody, sayingThat answer: Receipt
    ) -> AnswerSignature? { nil }

    package var checksEverySignature: Bool { false }
}
