/// A source that asks Apple the questions of its inquiries.
package protocol LiveSource: AppleSource {
    /// The connections to Apple's servers.
    var transport: AppleTransport { get }

    /// Resolves what needs no question, and says what to ask about the others of these rows. Leaves
    /// those undecided that are another source's matter.
    func ask(about rows: [Int], in inquiry: inout Inquiry)

    /// The server that is asked first about a question; an answer may name another one.
    func firstServer(for question: Question) -> AppleServer

    /// What asks a question, request by request.
    func exchange(about question: Question) -> any Exchange

    /// Reads a kept answer again. Nil when it shows no purchases.
    func history(in body: AnswerBody) -> Receipt?

    /// The body without the secret that was sent; nil when it does not repeat it.
    func withoutSecret(_ body: AnswerBody, to question: Question) -> AnswerBody?

    /// The status of the answers for which an app was stopped.
    func status(behind cause: Unverified) -> Int
}

extension LiveSource {
    package var live: (any LiveSource)? { self }

    package func inquiry(
        about rows: [StoredReceipt], of user: UserID
    ) async throws -> Inquiry {
        var inquiry = Inquiry(about: rows)
        ask(about: Array(rows.indices), in: &inquiry)
        return inquiry
    }
}

/// The requests of one question: more than one where an answer comes in parts. What earlier parts
/// brought is kept in it until the answer is whole.
package protocol Exchange: Sendable {
    /// Sends one request.
    /// - Throws: `ValidationFailure`, which ends the run; `CancellationError`.
    mutating func attempt(at server: AppleServer) async throws -> Attempt
}
