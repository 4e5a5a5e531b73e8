import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The outcome of Apple's answers", .hangLimit)
struct AppleAnswersTests {
    /// The replies to one look, and what should come of them. To add a case, copy one; `each` makes
    /// a case of every reply that has the same result.
    struct Case: Sendable, CustomTestStringConvertible {
        /// In order; the last one repeatedly.
        let replies: [ServerReply]
        let asked: [AppleServer]
        let outcome: ReceiptOutcome
        /// What the last reply says of Apple.
        let server: AppleStatus.Server
        /// With and without, if it makes no difference.
        let secrets: [Bool]
        let maxAttempts: Int

        init(
            _ replies: ServerReply..., asked: [AppleServer], _ outcome: ReceiptOutcome,
            _ server: AppleStatus.Server, secrets: [Bool] = [true, false], maxAttempts: Int = 4
        ) {
            self.replies = replies
            self.asked = asked
            self.outcome = outcome
            self.server = server
            self.secrets = secrets
            self.maxAttempts = maxAttempts
        }

        var testDescription: String { replies.map(\.name).joined(separator: ", then ") }
    }

    private static func each(
        _ replies: [ServerReply], asked: [AppleServer], _ outcome: ReceiptOutcome,
        _ server: AppleStatus.Server
    ) -> [Case] {
        replies.map { Case($0, asked: asked, outcome, server) }
    }

    private static let production = AppleServer.production
    private static let fourTimes = Array(repeating: AppleServer.production, count: 4)
    private static let valid = AppleAnswer.verified()

    private static let verified: [Case] =
        each(
            [
                .receipt(status: 0), .receipt(status: 21006), .receipt(status: "\"0\""),
                .body(#"{"status":21006,"receipt":{"bid":"acme"}}"#),
                .body("\u{FEFF}" + valid), .body("\t\r\n\(valid)\r\n"),
            ], asked: [production], .verified, .sound)
        + each(
            [.status(0), .body(#"{"status":"0"}"#), .status(21006)]
                + [.body(#"{"status":0,"receipt":{"in_app":[]}}"#), .body(#"{"status":0,"x":1}"#)]
                + [.body(#"{"status":0,"receipt":null}"#), .body(#"{"status":0,"receipt":[]}"#)],
            asked: fourTimes, .unverified(.incompleteAnswer), .ambiguous)
        + [
            Case(
                .status(0), asked: [production, production], .unverified(.incompleteAnswer),
                .ambiguous, maxAttempts: 2)
        ]

    private static let refused: [Case] =
        each(
            [
                .status(21010), .status(21010, isRetryable: false), .body(#"{"status":"21010"}"#),
                .body(#"{"environment":"PROD","status":21010}"#),
            ], asked: [production], .refused(.accountGone), .sound)
        + [
            ServerReply.status(21003), .receipt(status: 21003), .status(21003, isRetryable: true),
            .body(#"{"status":"21003"}"#),
        ].map { Case($0, asked: [production], .refused(.notAuthentic), .sound, secrets: [true]) }
        + [
            Case(
                .status(21005), .http(503), .status(21010),
                asked: [production, production, production], .refused(.accountGone), .sound),
            Case(
                .status(21003), asked: [production], .refused(.notAuthentic), .sound,
                secrets: [true], maxAttempts: 1),
            Case(
                .status(21007), .status(21003), asked: [production, .sandbox],
                .refused(.notAuthentic), .sound, secrets: [true]),
        ]

    private static let secrets: [Case] = [
        Case(
            .status(21003), asked: [production], .unverified(.sharedSecretMissing), .sound,
            secrets: [false]),
        Case(
            .status(21004), asked: [production], .unverified(.sharedSecretMissing),
            .secretMismatch, secrets: [false]),
        Case(
            .status(21004), asked: [production], .unverified(.sharedSecretRejected),
            .secretMismatch, secrets: [true]),
        Case(
            .body(#"{"status":"21004"}"#), asked: [production], .unverified(.sharedSecretRejected),
            .secretMismatch, secrets: [true]),
    ]

    private static let moves: [Case] = [
        Case(
            .status(21007), .receipt(status: 0), asked: [production, .sandbox], .verified, .sound),
        Case(
            .status(21007), .status(21008), .receipt(status: 0),
            asked: [production, .sandbox, production], .verified, .sound),
        Case(
            .status(21007), .status(21008), .status(21007),
            asked: [production, .sandbox, production], .unverified(.environmentLoop), .elsewhere),
        Case(
            .status(21007), .status(21008), asked: [production, .sandbox],
            .unverified(.environmentLoop), .elsewhere, maxAttempts: 1),
        Case(
            .status(21007), .status(21007),
            asked: [production, .sandbox, .sandbox, .sandbox, .sandbox],
            .unverified(.appleUnavailable), .troubled),
        Case(
            .status(21005), .status(21005), .status(21005), .status(21007), .status(21005),
            .status(21005), .status(21005), .receipt(status: 0),
            asked: fourTimes + [.sandbox, .sandbox, .sandbox, .sandbox], .verified, .sound),
    ]

    private static let ambiguous: [Case] =
        [
            Case(
                .status(21000), asked: [production], .unverified(.requestRefused), .notUnderstood)
        ]
        + each(
            [
                .status(21002), .status(21002, isRetryable: false),
                .body(#"{"status":21002,"exception":"java.lang.X"}"#),
            ], asked: fourTimes, .unverified(.malformedAccordingToApple), .ambiguous)
        + each(
            [21011, 21099, 21200, 20999, 29999, 1, -1, .min, .max].map { .status($0) },
            asked: fourTimes, .unverified(.appleUnavailable), .ambiguous)

    /// Answers with each of these JSON values under either key.
    private static func retryable(_ values: String...) -> [ServerReply] {
        values.flatMap { value in
            ["is_retryable", "is-retryable"].map { .body(#"{"status":21104,"\#($0)":\#(value)}"#) }
        }
    }

    private static let internalErrors: [Case] =
        each(
            [21001, 21005, 21008, 21009, 21100, 21150, 21199].map { .status($0) }
                + [21001, 21005, 21009].map { .status($0, isRetryable: false) }
                + [21100, 21150, 21199].map { .status($0, isRetryable: true) }
                + retryable("true", "\"true\"", "1", "\"1\"", "null", "\"\"", "\"no\"", "2")
                + retryable("[]", "{}"),
            asked: fourTimes, .unverified(.appleUnavailable), .troubled)
        + each(
            [21100, 21104, 21150, 21199].map { .status($0, isRetryable: false) }
                + retryable("false", "\"false\"", "0", "\"0\"")
                + [
                    .body(#"{"status":21104,"is_retryable":false,"is-retryable":true}"#),
                    .body(#"{"status":21104,"is-retryable":[],"is_retryable":false}"#),
                ], asked: [production], .unverified(.appleUnavailable), .sound)
        + [
            ServerReply.status(21002), .status(21104, isRetryable: true),
            .status(21005, isRetryable: false),
        ].map {
            Case($0, .receipt(status: 0), asked: [production, production], .verified, .sound)
        }
        + [
            Case(
                .status(21005), .status(21009), .status(29999), .status(21001), asked: fourTimes,
                .unverified(.appleUnavailable), .troubled)
        ]

    private static let failures: [Case] =
        [
            Case(.reset, asked: fourTimes, .unverified(.connectionFailed), .troubled),
            Case(.tooLarge, asked: fourTimes, .unverified(.answerTooLarge), .troubled),
            Case(.http(429), asked: fourTimes, .unverified(.httpStatus), .throttled),
            Case(
                .body("<html>"), .http(429), asked: [production, production],
                .unverified(.httpStatus), .throttled, maxAttempts: 2),
        ]
        + each(
            [201, 399, 503].map { .http($0) }, asked: fourTimes, .unverified(.httpStatus),
            .troubled)
        + each(
            [400, 428, 430, 499].map { .http($0) }, asked: fourTimes, .unverified(.httpStatus),
            .ambiguous)

    private static let unreadable: [Case] = each(
        [
            "", "<html>", "[]", "null", "true", "0.0", "\"0\"", "{}", #"{"Status":0}"#,
            #"{"status":"#, #"{"status":0"#, #"{"status":0}}"#, #"{"status":0}x"#,
            "{\"status\":0}\0", #"{"status":0,}"#, #"{"status":0,"status":1}"#,
            "\u{FEFF}\u{FEFF}{\"status\":0}",
        ].map { .body($0) }
            + [
                "null", "true", "\"\"", "\"+5\"", "\" 0\"", "\"0x0\"", "\"٠\"", "1.5", "1e3",
                "1e400", "[0]", "{}", "9223372036854775808",
            ].map { .body("{\"status\":\($0)}") },
        asked: fourTimes, .unverified(.malformedAnswer), .troubled)

    private static let cases =
        verified + refused + secrets + moves + ambiguous + internalErrors + failures + unreadable

    @Test("The answers decide which server is asked next, and the outcome", arguments: cases)
    func leads(example: Case) async throws {
        for hasSecret in example.secrets {
            let script = AnswerScript(example, hasSecret: hasSecret)
            let secret = hasSecret ? "with a secret" : "without a secret"
            let (look, lines, asks) = try await script.look()
            #expect(look.outcome == example.outcome, "\(secret)")
            let asked = asks.map(\.environment)
            #expect(asked == example.asked.map(\.environment), "\(secret)")
            #expect(Set(asks.map(\.body)).count == 1, "each server gets the same body")
            #expect(script.rows.last?.server == example.server, "\(secret)")
            script.check(look, lines)
        }
    }

    @Test("The cases cover every row of the table of replies")
    func isComplete() {
        let rows = Self.cases.flatMap { example in
            example.secrets.flatMap { AnswerScript(example, hasSecret: $0).rows }
        }
        let covered = rows.compactMap { row in AppleStatus.all.firstIndex { $0.isSame(as: row) } }
        #expect(Set(covered).sorted() == Array(AppleStatus.all.indices))
    }

    @Test("The detail says in words why an answer is not JSON")
    func notJSON() {
        for (body, detail) in [
            ("", "syntax error at byte 0"), (#"{"status":0"#, "syntax error at byte 11"),
            (#"{"a":0,"a":1}"#, "duplicate key at byte 8"), ("{\"\u{1}", "syntax error at byte 2"),
        ] { #expect(ServerReply.body(body).reply.detail == "the answer is not JSON: " + detail) }
    }
}

extension AppleStatus {
    fileprivate func isSame(as other: AppleStatus) -> Bool {
        reply == other.reply && condition == other.condition
    }
}
