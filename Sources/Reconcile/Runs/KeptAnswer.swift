/// Apple's answer about one receipt as kept evidence, complete enough to be judged again without
/// asking Apple (`--replay`).
package struct KeptAnswer: Hashable, Sendable {
    enum Conclusion: Hashable, Sendable {
        /// The content is parsed from the body again.
        case verified
        case rejected(Rejection)
        case unverified(Unverified)
    }

    /// The request digest (`Question.digest`), 32 bytes.
    var request: [UInt8]
    /// Of identical receipts of a user, the first.
    var receipt: ReceiptID?
    var conclusion: Conclusion
    var attempts: AttemptSummary
    /// The last answer with HTTP status 200; nil without one.
    var body: AnswerBody?
    /// SHA-256 of the body, 32 bytes; nil without a body.
    var bodyDigest: [UInt8]?
}

/// An answer body, byte for byte as received.
package struct AnswerBody: Hashable, Sendable {
    let bytes: [UInt8]
    package let server: AppleServer
}

extension AnswerBody: CustomStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
