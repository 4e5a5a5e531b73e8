import Testing

@testable import Reconcile
@testable import TestSupport

/// SPEC §2.4, status by status and form by form: the outcome if Apple keeps giving one answer.
@Suite("The outcome of Apple's answers")
struct StatusTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let body: String
        var hasSecret = true
        let server: AppleStatus.Server
        /// The outcome, or the refusal.
        let outcome: String
        /// Of at most four attempts.
        var attempts = 1

        var testDescription: String { "\(body.prefix(60))\(hasSecret ? "" : ", without a secret")" }
    }

    private static let valid = AppleAnswer.verified()

    private static let final: [Row] = [
        Row(body: valid, server: .sound, outcome: "verified"),
        Row(body: "\u{FEFF}" + valid, server: .sound, outcome: "verified"),
        Row(body: " \r\n\t" + valid + "\n ", server: .sound, outcome: "verified"),
        Row(
            body: valid.replacing(#""status":0"#, with: #""status":"0""#), server: .sound,
            outcome: "verified"),
        Row(
            body: #"{"status":21006,"receipt":{"bid":"acme"}}"#, server: .sound,
            outcome: "verified"),
        status(21000, .notUnderstood, "unverified request_refused"),
        status(21003, hasSecret: false, .sound, "unverified shared_secret_missing"),
        status(21004, .secretMismatch, "unverified shared_secret_rejected"),
        status(21004, hasSecret: false, .secretMismatch, "unverified shared_secret_missing"),
        Row(
            body: #"{"environment":"Production","status":"21004"}"#, server: .secretMismatch,
            outcome: "unverified shared_secret_rejected"),
    ]

    private static let refusals: [Row] = [
        status(21003, .sound, "refused not_authentic"),
        status(21010, .sound, "refused account_gone"),
        status(21010, hasSecret: false, .sound, "refused account_gone"),
        Row(
            body: #"{"environment":"Production","status":21010,"is_retryable":false}"#,
            server: .sound, outcome: "refused account_gone"),
        Row(
            body: #"{"status":"21003","is_retryable":true}"#, server: .sound,
            outcome: "refused not_authentic"),
    ]

    private static let unavailable: [Row] =
        [
            21001, 21005, 21009, 21100, 21150, 21199, 21011, 21099, 21200, 20999, 29999, 1, -1,
            21008,
        ].map { status($0, .troubled, "unverified apple_unavailable", attempts: 4) }
        + [
            status(
                21002, .troubled, "unverified malformed_according_to_apple", attempts: 4),
            Row(
                body: #"{"status":21002,"exception":"java.lang.IllegalArgumentException"}"#,
                server: .troubled, outcome: "unverified malformed_according_to_apple",
                attempts: 4),
            Row(
                body: #"{"status":21005,"is_retryable":false}"#, server: .troubled,
                outcome: "unverified apple_unavailable", attempts: 4),
        ]
        + [#"{"status":0}"#, #"{"status":21006}"#, #"{"status":0,"receipt":{"in_app":[]}}"#].map {
            Row(
                body: $0, server: .troubled, outcome: "unverified incomplete_answer",
                attempts: 4)
        }

    private static let retryable: [Row] = ["is_retryable", "is-retryable"].flatMap { key in
        ["false", #""false""#, "0", #""0""#].map { no in
            Row(
                body: #"{"status":21104,"\#(key)":\#(no)}"#, server: .sound,
                outcome: "unverified apple_unavailable")
        }
            + ["true", #""true""#, "1", #""1""#, "null", #""""#, #""no""#, "2", "[]", "{}"].map {
                Row(
                    body: #"{"status":21199,"\#(key)":\#($0)}"#, server: .troubled,
                    outcome: "unverified apple_unavailable", attempts: 4)
            }
    }

    private static let unreadable: [Row] = [
        "", " ", "[]", "[1,2,3]", "null", "true", "0", #""0""#, "{}", #"{"status":null}"#,
        #"{"status":true}"#, #"{"status":""}"#, #"{"status":"+5"}"#, #"{"status":" 0"}"#,
        #"{"status":1.5}"#, #"{"status":[0]}"#, #"{"status":{}}"#, #"{"Status":0}"#,
        #"{"status":0"#, #"{"status":0}}"#, #"{"status":0,}"#, #"{"status":0,"status":0}"#,
        #"{"status":99999999999999999999}"#, "<html><body>It works!</body></html>",
        "\u{FEFF}\u{FEFF}{\"status\":0}", "{\"status\":0}\u{0}",
    ].map {
        Row(
            body: $0, server: .troubled, outcome: "unverified malformed_answer", attempts: 4)
    }

    @Test(
        "Each answer leads to its outcome",
        arguments: final + refusals + unavailable + retryable + unreadable)
    func leads(row: Row) {
        let reply = Self.reply(row.body)
        let status = AppleStatus.of(reply, from: .production, hasSecret: row.hasSecret)
        #expect(status.server == row.server)
        let (outcome, attempts) = Self.outcome(of: reply, hasSecret: row.hasSecret, maxAttempts: 4)
        #expect(outcome == row.outcome)
        #expect(attempts == row.attempts)
    }

    @Test(
        "Another HTTP status, and none, are retried",
        arguments: [
            (.httpStatus(429), .throttled, "unverified http_status"),
            (.httpStatus(500), .troubled, "unverified http_status"),
            (.httpStatus(503), .troubled, "unverified http_status"),
            (.httpStatus(204), .troubled, "unverified http_status"),
            (.httpStatus(302), .troubled, "unverified http_status"),
            (.httpStatus(404), .troubled, "unverified http_status"),
            (.failure(.timeout, cause: "", detail: ""), .troubled, "unverified timeout"),
            (.unreachable, .troubled, "unverified connection_failed"),
            (
                .failure(.answerTooLarge, cause: "", detail: ""), .troubled,
                "unverified answer_too_large"
            ),
        ] as [(ValidationReply, AppleStatus.Server, String)])
    func noAnswer(reply: ValidationReply, server: AppleStatus.Server, outcome: String) {
        #expect(AppleStatus.of(reply, from: .production, hasSecret: true).server == server)
        let end = Self.outcome(of: reply, hasSecret: true, maxAttempts: 3)
        #expect(end.outcome == outcome)
        #expect(end.attempts == 3)
    }

    @Test(
        "The environment is the one that the answer names, else that of the server",
        arguments: [
            (#""Sandbox""#, .production, .sandbox), (#""Production""#, .sandbox, .production),
            (#""Mars""#, .sandbox, .sandbox), ("null", .sandbox, .sandbox),
            (#""PROD""#, .production, .production), ("7", .sandbox, .sandbox),
        ] as [(String, StoreEnvironment, StoreEnvironment)])
    func environment(named: String, server: StoreEnvironment, expected: StoreEnvironment) throws {
        let body = Self.valid.replacing(
            #""environment":"Production""#, with: #""environment":\#(named)"#)
        let answer = try VerifyReceiptAnswer.read(Array(body.utf8), from: server)
        #expect(answer.receipt?.environment == expected)
    }

    private static func status(
        _ status: Int, hasSecret: Bool = true, _ server: AppleStatus.Server, _ outcome: String,
        attempts: Int = 1
    ) -> Row {
        Row(
            body: AppleAnswer.status(status), hasSecret: hasSecret, server: server,
            outcome: outcome, attempts: attempts)
    }

    /// The reply of production.
    private static func reply(_ body: String) -> ValidationReply {
        do throws(VerifyReceiptAnswer.Unreadable) {
            return .answer(try VerifyReceiptAnswer.read(Array(body.utf8), from: .production))
        } catch {
            return .unreadable(error)
        }
    }

    private static func outcome(
        of reply: ValidationReply, hasSecret: Bool, maxAttempts: Int
    ) -> (outcome: String, attempts: Int) {
        var verification = Verification(
            policy: RetryPolicy(maxAttempts: maxAttempts, base: .zero, deadline: .seconds(60)))
        var generator = SeededGenerator(1)
        while true {
            let attempt = Attempt(
                reply: reply,
                status: AppleStatus.of(
                    reply, from: verification.environment, hasSecret: hasSecret))
            switch verification.step(after: attempt, taking: .zero, using: &generator) {
            case .ask: continue
            case .end(let validation): return (validation.words, verification.attemptCount)
            case .refused(let why):
                return ("refused \(why.rawValue)", verification.attemptCount)
            }
        }
    }
}
