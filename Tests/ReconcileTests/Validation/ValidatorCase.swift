import Testing

@testable import Reconcile
@testable import TestSupport

/// A script of Apple's answers, and the validator's outcome. Two attempts a server.
struct ValidatorCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var hasSecret = true
    let production: [[LoopbackServer.Act]]
    var sandbox: [[LoopbackServer.Act]] = []
    /// The requested servers in order: `P` and `S`.
    let asked: String
    /// The outcome, or the refusal.
    let outcome: String
    var retries = 0
    /// The statuses of the answers, in order.
    var statuses: [Int] = []
    var httpStatuses: [Int] = []
    var lastHTTPStatus: Int?
    /// The body whose digest the evidence has.
    var evidence: String?
    /// How the detail of a receipt that is not verified begins.
    var detail = ""

    var lastStatus: Int? { statuses.last }

    var requests: RequestRecord {
        var requests = RequestRecord()
        requests.production = asked.count { $0 == "P" }
        requests.sandbox = asked.count { $0 == "S" }
        requests.retries = retries
        requests.statuses = statuses
        requests.httpStatuses = httpStatuses
        return requests
    }

    static let all = answered + otherServer + noJSON + noAnswer
    private static let valid = AppleAnswer.verified()
    private static let fromSandbox = AppleAnswer.verified(environment: .sandbox)

    private static let answered = [
        ValidatorCase(
            "a valid receipt", [.reply(valid)], asked: "P", "verified", statuses: [0],
            evidence: valid),
        status(21006, body: #"{"status":21006,"receipt":{"bid":"acme"}}"#, "verified"),
        status(21000, "unverified request_refused"),
        status(21004, "unverified shared_secret_rejected"),
        status(21004, hasSecret: false, "unverified shared_secret_missing"),
        status(21003, hasSecret: false, "unverified shared_secret_missing"),
        status(
            21199, body: #"{"status":21199,"is_retryable":false}"#,
            "unverified apple_unavailable"),
        status(21003, "refused not_authentic", detail: "status 21003 (production, attempt 1)"),
        status(21010, "refused account_gone"),
        status(21010, hasSecret: false, "refused account_gone"),
        twice(21002, "unverified malformed_according_to_apple"),
        twice(21001, "unverified apple_unavailable"),
        twice(21009, "unverified apple_unavailable"),
        twice(21100, "unverified apple_unavailable"),
        twice(31337, "unverified apple_unavailable"),
        twice(0, "unverified incomplete_answer"),
        ValidatorCase(
            "a passing 21005", [.reply(AppleAnswer.status(21005))], [.reply(valid)], asked: "PP",
            "verified", retries: 1, statuses: [21005, 0], evidence: valid),
        ValidatorCase(
            "a refusal after a passing 21005", [.reply(AppleAnswer.status(21005))],
            [.reply(AppleAnswer.status(21003))], asked: "PP", "refused not_authentic", retries: 1,
            statuses: [21005, 21003], evidence: AppleAnswer.status(21003)),
    ]

    private static let otherServer = [
        ValidatorCase(
            "a sandbox receipt", [.reply(AppleAnswer.status(21007))],
            sandbox: [[.reply(fromSandbox)]], asked: "PS", "verified", statuses: [21007, 0],
            evidence: fromSandbox),
        ValidatorCase(
            "a receipt sent back", [.reply(AppleAnswer.status(21007))], [.reply(valid)],
            sandbox: [[.reply(AppleAnswer.status(21008))]], asked: "PSP", "verified", retries: 1,
            statuses: [21007, 21008, 0], evidence: valid),
        ValidatorCase(
            "a loop", [.reply(AppleAnswer.status(21007))], [.reply(AppleAnswer.status(21007))],
            sandbox: [[.reply(AppleAnswer.status(21008))]], asked: "PSP",
            "unverified environment_loop", retries: 1, statuses: [21007, 21008, 21007],
            evidence: AppleAnswer.status(21007)),
        ValidatorCase(
            "a refusal by the sandbox", [.reply(AppleAnswer.status(21007))],
            sandbox: [[.reply(AppleAnswer.status(21003))]], asked: "PS", "refused not_authentic",
            statuses: [21007, 21003], evidence: AppleAnswer.status(21003),
            detail: "status 21003 (sandbox, attempt 2)"),
        ValidatorCase(
            "a sandbox that is down", [.reply(AppleAnswer.status(21007))],
            sandbox: [[.reset], [.reply(status: "503 No", "")]], asked: "PSS",
            "unverified http_status", retries: 1, statuses: [21007], httpStatuses: [200, 503],
            evidence: AppleAnswer.status(21007), detail: "HTTP 503 (sandbox, attempt 3)"),
    ]

    private static let noJSON = [
        html, "", "[]", "null", #"{"status":"#, #"{"status":null}"#, #"{"status":"soon"}"#,
        #"{"status":0.5}"#,
    ].map { body in
        ValidatorCase(
            "200 with \(body.isEmpty ? "nothing" : body)", [.reply(body)], [.reply(body)],
            asked: "PP", "unverified malformed_answer", retries: 1, httpStatuses: [200, 200],
            evidence: body, detail: "the answer ")
    }

    private static let html = "<html><body>It works!</body></html>"

    private static let noAnswer = [
        always("a server error", [.reply(status: "503 No", html)], "http_status", 503),
        always("too many requests", [.reply(status: "429 No", "")], "http_status", 429),
        always("a refusal", [.reply(status: "403 No", "")], "http_status", 403),
        always(
            "a redirect, which is not followed",
            [.reply(status: "302 Go", headers: ["Location: /else"], valid)], "http_status", 302),
        always("a hang-up", [.hangUp], "connection_failed"),
        always("a reset", [.reset], "connection_failed"),
        always("silence", [.stall], "timeout"),
        always("half a head", [.send("HTTP/1.1 200 OK\r\nConte"), .stall], "timeout"),
        always(
            "half a body", [.send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"), .hangUp],
            "connection_failed"),
        always(
            "a body over 16 MiB", [.send("HTTP/1.1 200 OK\r\nContent-Length: 16777217\r\n\r\n")],
            "answer_too_large"),
        ValidatorCase(
            "a status, then a broken connection", [.reply(AppleAnswer.status(21005))], [.reset],
            asked: "PP", "unverified connection_failed", retries: 1, statuses: [21005],
            httpStatuses: [200], lastHTTPStatus: .some(nil), evidence: AppleAnswer.status(21005)),
        ValidatorCase(
            "a passing 503", [.reply(status: "503 No", "")], [.reply(valid)], asked: "PP",
            "verified", retries: 1, statuses: [0], httpStatuses: [503, 200], evidence: valid),
    ]
}

extension ValidatorCase {
    /// - Parameter lastHTTPStatus: unless given, that of the last answer.
    fileprivate init(
        _ name: String, _ production: [LoopbackServer.Act]...,
        sandbox: [[LoopbackServer.Act]] = [], asked: String, _ outcome: String,
        hasSecret: Bool = true, retries: Int = 0, statuses: [Int] = [],
        httpStatuses: [Int]? = nil, lastHTTPStatus: Int?? = nil, evidence: String? = nil,
        detail: String = ""
    ) {
        testDescription = name
        self.production = production
        self.sandbox = sandbox
        self.asked = asked
        self.outcome = outcome
        self.hasSecret = hasSecret
        self.retries = retries
        self.statuses = statuses
        self.evidence = evidence
        self.httpStatuses = httpStatuses ?? statuses.map { _ in 200 }
        self.lastHTTPStatus = lastHTTPStatus ?? self.httpStatuses.last
        self.detail = detail
    }

    private static func status(
        _ status: Int, body: String? = nil, hasSecret: Bool = true, _ outcome: String,
        detail: String = ""
    ) -> ValidatorCase {
        let body = body ?? AppleAnswer.status(status)
        return ValidatorCase(
            "\(status) at once\(hasSecret ? "" : ", without a secret")", [.reply(body)],
            asked: "P", outcome, hasSecret: hasSecret, statuses: [status], evidence: body,
            detail: detail)
    }

    private static func twice(_ status: Int, _ outcome: String) -> ValidatorCase {
        let body = AppleAnswer.status(status)
        return ValidatorCase(
            "\(status) twice", [.reply(body)], [.reply(body)], asked: "PP", outcome, retries: 1,
            statuses: [status, status], evidence: body)
    }

    private static func always(
        _ name: String, _ acts: [LoopbackServer.Act], _ cause: String, _ httpStatus: Int? = nil
    ) -> ValidatorCase {
        ValidatorCase(
            name, acts, acts, asked: "PP", "unverified \(cause)", retries: 1,
            httpStatuses: httpStatus.map { [$0, $0] } ?? [])
    }
}
