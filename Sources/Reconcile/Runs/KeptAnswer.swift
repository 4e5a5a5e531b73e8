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

/// An answer body, as it is kept: byte for byte as received, but the signed strings of the App
/// Store Server API as `SignedLines`.
package struct AnswerBody: Hashable, Sendable {
    let bytes: [UInt8]
    package let server: AppleServer

    /// What is evidence: the bytes as received; signed strings whole, each ended by a line feed.
    package var received: [UInt8] {
        server.source == .serverAPI ? SignedLines.whole(bytes) : bytes
    }
}

extension AnswerBody: CustomStringConvertible, CustomReflectable {
    package var description: String { "‹redacted›" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
