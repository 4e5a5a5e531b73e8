/// One request to Apple: what its answer means for the question, and for the server.
package struct Attempt: Sendable {
    /// What becomes of the question.
    enum Meaning: Sendable {
        case verified(Receipt)
        /// Ends the look. Another one must confirm it.
        case refused(Rejection)
        /// The other server is to be asked.
        case elsewhere(AppleServer)
        /// A part of the answer has come; the next request of the exchange asks for another one.
        case partly
        /// When no attempt is left, `unverified` with this cause.
        case retry(Unverified)
        case ended(Unverified)
    }

    /// What the answer says about the server.
    enum Health: Equatable, Sendable {
        /// The server works, whatever its answer to the question.
        case sound
        /// The server is in trouble if Apple wrote the receipt's bytes. Others may deserve the
        /// answer, which then says nothing about the server.
        case ambiguous
        case troubled
        case throttled
    }

    /// What the answer of a working server says about the app's secret or key.
    enum Access: Equatable, Sendable {
        case granted
        case denied(Unverified)
        /// Nothing in the request could be read.
        case notUnderstood
        /// The answer does not depend on the secret.
        case unknown
    }

    let meaning: Meaning
    let health: Health
    let access: Access
    /// The status in the answer's body.
    var status: Int?
    var httpStatus: Int?
    var retryAfter: Duration?
    var requestID: String?
    /// Of an answer with HTTP status 200.
    var body: AnswerBody?
    var answeredAt: Instant?
    /// The length of the answer; 0 without one.
    var bodyBytes = 0
    /// Why there is no complete answer, in a few words.
    var failure: String?
    /// The answer in words, for `unverified.csv`. Empty when the question was verified.
    var detail = ""
    /// A few words on why the server is in trouble, for the log. Empty when it is not.
    var trouble = ""

    init(_ meaning: Meaning, _ health: Health, _ access: Access = .unknown) {
        self.meaning = meaning
        self.health = health
        self.access = access
    }

    var isVerified: Bool {
        if case .verified = meaning { true } else { false }
    }
}

extension Attempt.Access {
    /// Whether the answer hints at a wrong configuration of the app.
    var isMisconfigured: Bool {
        switch self {
        case .denied, .notUnderstood: true
        case .granted, .unknown: false
        }
    }

    /// Why the app's secret or key is not accepted; nil when it may be.
    var denial: Unverified? {
        if case .denied(let cause) = self { cause } else { nil }
    }
}
