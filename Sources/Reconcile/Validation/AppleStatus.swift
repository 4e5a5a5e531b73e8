/// What a reply of Apple's means, and what is done about it.
///
/// `all` is the only list: the validator takes its next step from it, the circuit breaker and the
/// adaptive rate what it says of the server, and `docs/statuses.md` is made of it. The first row
/// that matches a reply counts. Source:
/// <https://developer.apple.com/documentation/appstorereceipts/status>, and SPEC §2.4.
struct AppleStatus: Sendable {
    /// What kind of reply a row is about.
    enum Reply: Equatable, Sendable {
        /// HTTP 200 with Apple's JSON, whose `status` is one of these.
        case status([ClosedRange<Int>])
        /// HTTP 200 with something else.
        case unreadable
        /// Another HTTP status.
        case http(ClosedRange<Int>)
        /// No whole HTTP answer.
        case failure
    }

    /// What must hold besides.
    enum Condition: String, Sendable {
        case always = ""
        case noReceipt = "without a receipt or a bundle id in it"
        case noSecret = "and no shared secret was sent"
        case notRetryable = "and `is_retryable` is false"
        case ownServer = "from that server itself"
    }

    /// What is done next.
    enum Step: Equatable, Sendable {
        /// The receipt is verified.
        case verify
        /// Apple refuses the receipt: its user is put off to the second look.
        case refuse(Rejection)
        /// The other server is asked.
        case move(StoreEnvironment)
        /// It is asked again, and `unverified` with this cause when that may not be.
        case retry(Unverified)
        /// `unverified` at once.
        case end(Unverified)
    }

    /// What the reply says about the server that gave it.
    enum Server: Sendable {
        /// It does its work, whether or not we like what it says.
        case sound
        /// 21004: it does, and the shared secret is not the app's.
        case secretMismatch
        /// 21000: it does, and cannot read what it was sent.
        case notUnderstood
        /// It does, and the other server knows: says nothing about a secret.
        case elsewhere
        /// It does not do its work.
        case troubled
        /// It asks for fewer requests.
        case throttled
    }

    let reply: Reply
    let condition: Condition
    let meaning: String
    let step: Step
    let server: Server

    private init(
        _ reply: Reply, _ meaning: String, when condition: Condition = .always, _ step: Step,
        _ server: Server
    ) {
        self.reply = reply
        self.condition = condition
        self.meaning = meaning
        self.step = step
        self.server = server
    }

    static let all: [AppleStatus] = [
        AppleStatus(
            .status([0...0, 21006...21006]), "an answer that is not whole", when: .noReceipt,
            .retry(.incompleteAnswer), .troubled),
        AppleStatus(
            .status([0...0]), "the receipt is valid", .verify, .sound),
        AppleStatus(
            .status([21006...21006]), "valid, and the subscription has expired (iOS 6 receipts)",
            .verify, .sound),
        AppleStatus(
            .status([21000...21000]), "the request was not understood", .end(.requestRefused),
            .notUnderstood),
        AppleStatus(
            .status([21002...21002]), "malformed receipt data, or a passing trouble of Apple's",
            .retry(.malformedAccordingToApple), .troubled),
        AppleStatus(
            .status([21003...21003]), "the receipt could not be authenticated", when: .noSecret,
            .end(.sharedSecretMissing), .sound),
        AppleStatus(
            .status([21003...21003]), "the receipt could not be authenticated",
            .refuse(.notAuthentic), .sound),
        AppleStatus(
            .status([21004...21004]), "the app has a shared secret", when: .noSecret,
            .end(.sharedSecretMissing), .secretMismatch),
        AppleStatus(
            .status([21004...21004]), "the shared secret is not the app's",
            .end(.sharedSecretRejected), .secretMismatch),
        AppleStatus(
            .status([21007...21007]), "an environment that names itself", when: .ownServer,
            .retry(.appleUnavailable), .troubled),
        AppleStatus(
            .status([21007...21007]), "the receipt belongs to the sandbox", .move(.sandbox),
            .elsewhere),
        AppleStatus(
            .status([21008...21008]), "an environment that names itself", when: .ownServer,
            .retry(.appleUnavailable), .troubled),
        AppleStatus(
            .status([21008...21008]), "the receipt belongs to production", .move(.production),
            .elsewhere),
        AppleStatus(
            .status([21010...21010]), "the account is not found or deleted",
            .refuse(.accountGone), .sound),
        AppleStatus(
            .status([21100...21199]), "an internal error that will come again",
            when: .notRetryable, .end(.appleUnavailable), .sound),
        AppleStatus(
            .status([21100...21199]), "an internal error", .retry(.appleUnavailable), .troubled),
        AppleStatus(
            .status([21001...21001, 21005...21005, 21009...21009]),
            "the server cannot answer now", .retry(.appleUnavailable), .troubled),
        AppleStatus(
            .status([Int.min...Int.max]), "not documented", .retry(.appleUnavailable), .troubled),
        AppleStatus(
            .unreadable, "not Apple's JSON", .retry(.malformedAnswer), .troubled),
        AppleStatus(.http(429...429), "too many requests", .retry(.httpStatus), .throttled),
        AppleStatus(
            .http(500...599), "the server cannot answer now", .retry(.httpStatus), .troubled),
        AppleStatus(
            .http(Int.min...Int.max), "not Apple's answer; redirects are not followed",
            .retry(.httpStatus), .troubled),
        AppleStatus(
            .failure, "no whole HTTP answer: a time-out, or a connection that broke",
            .retry(.connectionFailed), .troubled),
    ]
}

extension AppleStatus {
    /// The row about `reply` of `server`.
    static func of(
        _ reply: ValidationReply, from server: StoreEnvironment, hasSecret: Bool
    ) -> AppleStatus {
        for row in all where row.matches(reply, from: server, hasSecret: hasSecret) { return row }
        preconditionFailure("the last rows of each kind match everything")
    }

    private func matches(
        _ reply: ValidationReply, from server: StoreEnvironment, hasSecret: Bool
    ) -> Bool {
        switch (self.reply, reply) {
        case (.status(let codes), .answer(let answer)):
            codes.contains { $0.contains(answer.status.rawValue) }
                && holds(condition, of: answer, from: server, hasSecret: hasSecret)
        case (.unreadable, .unreadable), (.failure, .failure): true
        case (.http(let codes), .httpStatus(let status)): codes.contains(status)
        default: false
        }
    }

    private func holds(
        _ condition: Condition, of answer: VerifyReceiptAnswer, from server: StoreEnvironment,
        hasSecret: Bool
    ) -> Bool {
        switch condition {
        case .always: true
        case .noReceipt: answer.receipt == nil
        case .noSecret: !hasSecret
        case .notRetryable: answer.isRetryable == false
        case .ownServer: step == .retry(.appleUnavailable) && answer.status.namedServer == server
        }
    }
}

extension ReceiptStatus {
    /// The server to which 21007 and 21008 send the receipt.
    fileprivate var namedServer: StoreEnvironment? {
        switch rawValue {
        case 21007: .sandbox
        case 21008: .production
        default: nil
        }
    }
}
