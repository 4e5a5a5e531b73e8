/// What asking Apple about one receipt came to, as evidence keeps it: enough to judge again another
/// day, without asking again.
package struct KeptAnswer: Hashable, Sendable {
    package enum Conclusion: Hashable, Sendable {
        /// What the body says, which is read again.
        case verified
        case rejected(Rejection)
        case unverified(Unverified)
    }

    /// Which receipt was asked about: the digest of `ReceiptRequest`, 32 bytes.
    package var request: [UInt8]
    /// Of identical receipts of a user the first.
    package var receipt: ReceiptID?
    package var conclusion: Conclusion
    package var attempts: AttemptSummary
    package var requests: RequestRecord
    /// The last answer with HTTP status 200, if there was one.
    package var body: AnswerBody?
    /// SHA-256 of the body, 32 bytes; nil without one.
    package var bodyDigest: [UInt8]?

    package init(
        request: [UInt8], receipt: ReceiptID?, conclusion: Conclusion, attempts: AttemptSummary,
        requests: RequestRecord, body: AnswerBody?, bodyDigest: [UInt8]?
    ) {
        self.request = request
        self.receipt = receipt
        self.conclusion = conclusion
        self.attempts = attempts
        self.requests = requests
        self.body = body
        self.bodyDigest = bodyDigest
    }
}

/// The body of an answer, byte for byte as received.
package struct AnswerBody: Hashable, Sendable {
    package let bytes: [UInt8]
    /// The server that sent it.
    package let server: StoreEnvironment

    package init(bytes: [UInt8], server: StoreEnvironment) {
        self.bytes = bytes
        self.server = server
    }
}

extension AnswerBody: CustomStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
