/// What asking Apple about one receipt came to, as it is kept: enough to go on after a crash, and
/// to judge again another day, without asking again.
package struct RecordedAnswer: Hashable, Sendable {
    package enum Conclusion: Hashable, Sendable {
        /// What the body says, which is read again.
        case verified
        case rejected(Rejection)
        case unverified(Unverified)
    }

    /// Which receipt was asked about: the digest of `ReceiptQuestion`, 32 bytes.
    package var question: [UInt8]
    /// The first stored receipt that asked.
    package var receipt: ReceiptID?
    package var conclusion: Conclusion
    package var attempts: AttemptSummary
    package var requests: RequestTally
    /// The last answer with HTTP status 200, if there was one.
    package var body: AnswerBody?

    package init(
        question: [UInt8], receipt: ReceiptID?, conclusion: Conclusion, attempts: AttemptSummary,
        requests: RequestTally, body: AnswerBody?
    ) {
        (self.question, self.receipt, self.conclusion) = (question, receipt, conclusion)
        (self.attempts, self.requests, self.body) = (attempts, requests, body)
    }
}

/// The body of an answer, byte for byte as received.
package struct AnswerBody: Hashable, Sendable {
    package let bytes: [UInt8]
    /// The server that sent it.
    package let server: StoreEnvironment

    package init(bytes: [UInt8], server: StoreEnvironment) {
        (self.bytes, self.server) = (bytes, server)
    }
}

extension AnswerBody: CustomStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
