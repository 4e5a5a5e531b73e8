/// The meaning of each of Apple's replies, and the next step.
///
/// `all` is the only list; a test compares `docs/statuses.md` with it. The first matching row
/// counts. Source: <https://developer.apple.com/documentation/appstorereceipts/status>.
struct AppleStatus: Sendable {
    enum Reply: Equatable, Sendable {
        /// HTTP 200 with Apple's JSON and a `status` in these ranges.
        case status([ClosedRange<Int>])
        case unreadable
        case http(ClosedRange<Int>)
        case failure
    }

    enum Condition: String, Sendable {
        case always = ""
        case noReceipt = "without a receipt or a bundle id in it"
        case noSecret = "and no shared secret was sent"
        case notRetryable = "and `is_retryable` is false"
        case ownServer = "from that server itself"
    }

    enum Step: Equatable, Sendable {
        case verify
        /// The receipt's user is put off to the second look.
        case refuse(Rejection)
        case move(AppleServer)
        /// Retry; when no attempt is left, `unverified` with this cause.
        case retry(Unverified)
        case end(Unverified)
    }

    /// What the reply says about the health of the server.
    enum Server: Sendable {
        /// The server works, whatever its answer about the receipt.
        case sound
        /// 21004: the server works; the shared secret is not the app's.
        case secretMismatch
        /// 21000: the server works, but could not read the request.
        case notUnderstood
        /// 21007 or 21008: the server works. The reply says nothing about the shared secret.
        case elsewhere
        /// The server is in trouble if Apple wrote the receipt's bytes. Others may deserve the
        /// answer, which then says nothing about the server.
        case ambiguous
        case troubled
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
            .status([0...0, 21006...21006]), "an incomplete answer", when: .noReceipt,
            .retry(.incompleteAnswer), .ambiguous),
        AppleStatus(
            .status([0...0]), "the receipt is valid", .verify, .sound),
        AppleStatus(
            .status([21006...21006]), "valid, and the subscription has expired (iOS 6 receipts)",
            .verify, .sound),
        AppleStatus(
            .status([21000...21000]), "the request was not understood", .end(.requestRefused),
            .notUnderstood),
        AppleStatus(
            .status([21002...21002]), "malformed receipt data, or a temporary problem at Apple",
            .retry(.malformedAccordingToApple), .ambiguous),
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
            .status([21007...21007]), "a server that redirects to itself", when: .ownServer,
            .retry(.appleUnavailable), .troubled),
        AppleStatus(
            .status([21007...21007]), "the receipt belongs to the sandbox", .move(.sandbox),
            .elsewhere),
        AppleStatus(
            .status([21008...21008]), "a server that redirects to itself", when: .ownServer,
            .retry(.appleUnavailable), .troubled),
        AppleStatus(
            .status([21008...21008]), "the receipt belongs to production", .move(.production),
            .elsewhere),
        AppleStatus(
            .status([21010...21010]), "the account is not found or deleted",
            .refuse(.accountGone), .sound),
        AppleStatus(
            .status([21100...21199]), "a permanent internal error",
            when: .notRetryable, .end(.appleUnavailable), .sound),
        AppleStatus(
            .status([21100...21199]), "an internal error", .retry(.appleUnavailable), .troubled),
        AppleStatus(
            .status([21001...21001, 21005...21005, 21009...21009]),
            "the server cannot answer now", .retry(.appleUnavailable), .troubled),
        AppleStatus(
            .status([Int.min...Int.max]), "not documented", .retry(.appleUnavailable), .ambiguous),
        AppleStatus(
            .unreadable, "not Apple's JSON", .retry(.malformedAnswer), .troubled),
        AppleStatus(.http(429...429), "too many requests", .retry(.httpStatus), .throttled),
        AppleStatus(
            .http(400...499), "the request was not accepted", .retry(.httpStatus), .ambiguous),
        AppleStatus(
            .http(500...599), "the server cannot answer now", .retry(.httpStatus), .troubled),
        AppleStatus(
            .http(Int.min...Int.max), "not Apple's answer; redirects are not followed",
            .retry(.httpStatus), .troubled),
        AppleStatus(
            .failure, "no complete HTTP answer: a timeout or a broken connection",
            .retry(.connectionFailed), .troubled),
    ]
}

extension AppleStatus {
    static func of(
        _ reply: ValidationReply, from server: AppleServer, hasSecret: Bool
    ) -> AppleStatus {
        for row in all where row.matches(reply, from: server, hasSecret: hasSecret) { return row }
        preconditionFailure("the last rows of each kind match everything")
    }

    private func matches(
        _ reply: ValidationReply, from server: AppleServer, hasSecret: Bool
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
        _ condition: Condition, of answer: VerifyReceiptAnswer, from server: AppleServer,
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
    fileprivate var namedServer: AppleServer? {
        switch rawValue {
        case 21007: .sandbox
        case 21008: .production
        default: nil
        }
    }
}
