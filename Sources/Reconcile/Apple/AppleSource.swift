/// One way to learn what Apple says about a user's purchases. `docs/sources.md` tells how one is
/// added.
package protocol AppleSource: Sendable {
    /// The connections to Apple's servers; nil for a source that asks nobody.
    var transport: AppleTransport? { get }

    /// The server that is asked first; an answer may name another one.
    var firstServer: AppleServer { get }

    /// Resolves what needs no question, and says what to ask about the other rows.
    func inquiry(about rows: [StoredReceipt], of user: UserID) async throws -> Inquiry

    /// Answers open questions by what is known already, without asking.
    func recall(_ inquiry: inout Inquiry, of user: UserID) async throws

    /// Sends one request. A source that asks nobody is never called.
    /// - Throws: `ValidationFailure`, which ends the run; `CancellationError`.
    func attempt(_ question: Question, at server: AppleServer) async throws -> Attempt

    /// Called after each answer: it may stand for further rows, or need a further question.
    func revise(_ inquiry: inout Inquiry, after question: Int)

    /// Reads a kept answer again. Nil when it shows no purchases.
    func history(in body: AnswerBody) -> Receipt?

    /// The check of Apple's signature on an answer; nil when it has none.
    /// - Parameter answer: was read from `body`.
    func signature(on body: AnswerBody, sayingThat answer: Receipt) -> AnswerSignature?

    /// The body without the secret that was sent; nil when it does not repeat it.
    func withoutSecret(_ body: AnswerBody, to question: Question) -> AnswerBody?

    /// The status of the answers for which an app was stopped.
    func status(behind cause: Unverified) -> Int
}

extension AppleSource {
    package var firstServer: AppleServer { .production }

    package func recall(_ inquiry: inout Inquiry, of user: UserID) async throws {}

    package func revise(_ inquiry: inout Inquiry, after question: Int) {}
}
