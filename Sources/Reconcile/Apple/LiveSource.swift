/// A source that asks Apple the questions of its inquiries.
package protocol LiveSource: AppleSource {
    /// The connections to Apple's servers.
    var transport: AppleTransport { get }

    /// The server that is asked first; an answer may name another one.
    var firstServer: AppleServer { get }

    /// Sends one request.
    /// - Throws: `ValidationFailure`, which ends the run; `CancellationError`.
    func attempt(_ question: Question, at server: AppleServer) async throws -> Attempt

    /// Reads a kept answer again. Nil when it shows no purchases.
    static func history(in body: AnswerBody) -> Receipt?

    /// The body without the secret that was sent; nil when it does not repeat it.
    func withoutSecret(_ body: AnswerBody, to question: Question) -> AnswerBody?

    /// The status of the answers for which an app was stopped.
    func status(behind cause: Unverified) -> Int
}

extension LiveSource {
    package var live: (any LiveSource)? { self }
}
