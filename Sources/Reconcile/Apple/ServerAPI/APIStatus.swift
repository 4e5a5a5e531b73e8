/// The meaning of each of the App Store Server API's replies, and the next step.
///
/// `all` is the only list; a test compares `docs/statuses.md` with it. The first matching row
/// counts. Source: <https://developer.apple.com/documentation/appstoreserverapi/error-codes>.
struct APIStatus: Sendable {
    enum Reply: Equatable, Sendable {
        /// HTTP 200 of the form that was asked for.
        case whole
        /// The same, with a part that Apple did not sign for this app and environment.
        case notAuthentic
        /// HTTP 200 and JSON, without what was asked for.
        case incomplete
        case unreadable
        /// An HTTP status and Apple's `errorCode`; nil where it does not matter.
        case http(ClosedRange<Int>, codes: [Int]?)
        case failure
    }

    /// What the request was.
    enum Condition: String, Sendable {
        case always = ""
        case tooLong = "of the 1,000th page, which another one follows"
        case firstInProduction = "to the first request, in production"
        case firstInSandbox = "to the first request, in the sandbox"
        case firstTime = "for the first time"
        case appTransaction = "about the app transaction"
    }

    enum Step: Equatable, Sendable {
        case take
        /// There is no app transaction.
        case goWithout
        /// From the first page, once.
        case beginAgain
        case moveToSandbox
        /// The user is put off to the second look.
        case refuse(Rejection)
        /// Retry; when no attempt is left, `unverified` with this cause.
        case retry(Unverified)
        case end(Unverified)
    }

    /// What the reply says about the health of the server.
    enum Server: Sendable {
        /// The server works, whatever its answer about the customer.
        case sound
        /// 401: the server works; the app's key or the clock is wrong.
        case keyRefused
        /// It says nothing about the server: the id may deserve it.
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

    private static let unknownTransaction = Reply.http(404...404, codes: [4_040_005, 4_040_010])

    static let all: [APIStatus] = [
        APIStatus(
            .whole, "more pages than are read", when: .tooLong, .end(.answerTooLong), .sound),
        APIStatus(.whole, "what was asked for", .take, .sound),
        APIStatus(
            .notAuthentic, "a part that Apple did not sign for this app and environment",
            .end(.answerNotAuthentic), .sound),
        APIStatus(
            .incomplete, "an incomplete answer", .retry(.incompleteAnswer), .troubled),
        APIStatus(.unreadable, "no JSON", .retry(.malformedAnswer), .troubled),
        APIStatus(
            .http(401...401, codes: nil), "the key or the token is refused",
            .end(.apiKeyRejected), .keyRefused),
        APIStatus(
            unknownTransaction, "the transaction is not known here", when: .firstInProduction,
            .moveToSandbox, .sound),
        APIStatus(
            unknownTransaction, "the transaction is not known in either environment",
            when: .firstInSandbox, .end(.unknownTransaction), .sound),
        APIStatus(
            .http(404...404, codes: [4_040_001]), "the account is not found or deleted",
            .refuse(.accountGone), .sound),
        APIStatus(
            .http(404...404, codes: [4_040_003]), "the app is not found",
            .end(.requestRefused), .sound),
        APIStatus(
            .http(404...404, codes: nil), "there is none", when: .appTransaction, .goWithout,
            .sound),
        APIStatus(
            .http(404...404, codes: nil), "the server cannot answer now",
            .retry(.appleUnavailable), .ambiguous),
        APIStatus(
            .http(400...400, codes: [4_000_005]), "the revision of the page is no longer good",
            when: .firstTime, .beginAgain, .sound),
        APIStatus(
            .http(400...400, codes: nil), "the request is wrong", .end(.requestRefused), .sound),
        APIStatus(
            .http(429...429, codes: nil), "too many requests", .retry(.httpStatus), .throttled),
        APIStatus(
            .http(400...499, codes: nil), "the request was not accepted", .retry(.httpStatus),
            .ambiguous),
        APIStatus(
            .http(500...599, codes: nil), "the server cannot answer now", .retry(.httpStatus),
            .troubled),
        APIStatus(
            .http(Int.min...Int.max, codes: nil), "not Apple's answer; redirects are not followed",
            .retry(.httpStatus), .troubled),
        APIStatus(
            .failure, "no complete HTTP answer: a timeout or a broken connection",
            .retry(.connectionFailed), .troubled),
    ]
}

extension APIStatus {
    /// - Parameter holds: whether a condition is met.
    static func of(_ reply: APIReply, when holds: (Condition) -> Bool) -> APIStatus {
        for row in all
        where row.matches(reply) && (row.condition == .always || holds(row.condition)) {
            return row
        }
        preconditionFailure("the last rows of each kind match everything")
    }

    private func matches(_ reply: APIReply) -> Bool {
        switch (self.reply, reply) {
        case (.whole, .whole), (.notAuthentic, .notAuthentic), (.incomplete, .incomplete),
            (.unreadable, .unreadable), (.failure, .failure):
            true
        case (.http(let statuses, let codes), .http(let status, let code)):
            statuses.contains(status) && (codes.map { $0.contains(code ?? 0) } ?? true)
        default: false
        }
    }
}

/// What came back to one request.
enum APIReply: Equatable, Sendable {
    case whole
    /// - Parameter why: in words, without a full stop.
    case notAuthentic(why: String)
    case incomplete
    case unreadable(JSONError)
    /// - Parameter code: Apple's `errorCode`.
    case http(Int, code: Int?)
    /// No complete HTTP answer. `words` is libcurl's message.
    case failure(Unverified, words: String, detail: String)

    init(_ error: HTTPError) {
        self = .failure(Unverified(error.reason), words: error.cause, detail: error.description)
    }

    var detail: String {
        switch self {
        case .whole: "an answer with more pages than are read"
        case .notAuthentic(let why): "the answer is not authentic: \(why)"
        case .incomplete: "the answer lacks what was asked for"
        case .unreadable(let error): "the answer is not JSON: \(error)"
        case .http(let status, let code): "HTTP \(status)" + (code.map { ", error \($0)" } ?? "")
        case .failure(_, _, let detail): detail
        }
    }
}

extension Attempt {
    /// What a reply means by its row of the table, where the exchange ends with it or repeats the
    /// request.
    init(_ reply: APIReply, _ row: APIStatus) {
        self.init(Meaning(row.step, reply), Health(row.server), Access(row.server))
        switch reply {
        case .http(let status, let code):
            httpStatus = status
            self.status = code
        case .failure(_, let words, _): failure = words
        case .whole, .notAuthentic, .incomplete, .unreadable: httpStatus = 200
        }
        if !row.step.goesOn { detail = reply.detail }
        if health != .sound { trouble = reply.trouble }
    }
}

extension APIStatus.Step {
    fileprivate var goesOn: Bool {
        switch self {
        case .take, .goWithout, .beginAgain, .moveToSandbox: true
        case .refuse, .retry, .end: false
        }
    }
}

extension APIReply {
    /// A few words on why the server is in trouble, for the log.
    fileprivate var trouble: String {
        if case .failure(_, let words, _) = self { words } else { detail }
    }
}

extension Attempt.Meaning {
    fileprivate init(_ step: APIStatus.Step, _ reply: APIReply) {
        switch step {
        case .take, .goWithout, .beginAgain: self = .partly
        case .moveToSandbox: self = .elsewhere(.serverAPISandbox)
        case .refuse(let rejection): self = .refused(rejection)
        case .retry(let cause):
            if case .failure(let own, _, _) = reply {
                self = .retry(own)
            } else {
                self = .retry(cause)
            }
        case .end(let cause): self = .ended(cause)
        }
    }
}

extension Attempt.Health {
    fileprivate init(_ server: APIStatus.Server) {
        switch server {
        case .sound, .keyRefused: self = .sound
        case .ambiguous: self = .ambiguous
        case .troubled: self = .troubled
        case .throttled: self = .throttled
        }
    }
}

extension Attempt.Access {
    fileprivate init(_ server: APIStatus.Server) {
        switch server {
        case .sound: self = .granted
        case .keyRefused: self = .denied(.apiKeyRejected)
        case .ambiguous, .troubled, .throttled: self = .unknown
        }
    }
}
