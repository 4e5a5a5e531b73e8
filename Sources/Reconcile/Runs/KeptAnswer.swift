/// Apple's answer about one receipt as kept evidence, complete enough to be judged again without
/// asking Apple (`--replay`).
package struct KeptAnswer: Hashable, Sendable {
    package enum Conclusion: Hashable, Sendable {
        /// The content is parsed from the body again.
        case verified
        case rejected(Rejection)
        case unverified(Unverified)
    }

    /// The request digest (`ReceiptRequest.digest`), 32 bytes.
    package var request: [UInt8]
    /// Of identical receipts of a user, the first.
    package var receipt: ReceiptID?
    package var conclusion: Conclusion
    package var attempts: AttemptSummary
    package var requests: RequestRecord
    /// The last answer with HTTP status 200; nil without one.
    package var body: AnswerBody?
    /// SHA-256 of the body, 32 bytes; nil without a body.
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

/// An answer body, byte for byte as received.
package struct AnswerBody: Hashable, Sendable {
    package let bytes: [UInt8]
    package let server: StoreEnvironment
}

extension AnswerBody: CustomStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
