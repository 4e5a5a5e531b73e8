import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a reply with what holds of its request, and the step and the server's health that
/// must follow.
@Suite("The table of the App Store Server API's replies")
struct APIStatusTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: APIReply
        let conditions: Set<APIStatus.Condition>
        let step: APIStatus.Step
        let server: APIStatus.Server

        init(
            _ label: String, _ reply: APIReply, when conditions: APIStatus.Condition...,
            step: APIStatus.Step, server: APIStatus.Server
        ) {
            testDescription = label
            self.reply = reply
            self.conditions = Set(conditions)
            self.step = step
            self.server = server
        }
    }

    private static let answers = [
        Row("whole", .whole, step: .take, server: .sound),
        Row(
            "whole, as the 1,000th page before another one", .whole, when: .tooLong,
            step: .end(.answerTooLong), server: .sound),
        Row(
            "not authentic", .notAuthentic(why: "it is not signed"),
            step: .end(.answerNotAuthentic), server: .sound),
        Row("incomplete", .incomplete, step: .retry(.incompleteAnswer), server: .troubled),
        Row(
            "no JSON", .unreadable(.unexpected(at: 1)), step: .retry(.malformedAnswer),
            server: .troubled),
        Row(
            "a timeout", .failure(.timeout, words: "curl 28", detail: "late"),
            step: .retry(.connectionFailed), server: .troubled),
    ]

    private static let refusals = [
        Row("401", .http(401, code: nil), step: .end(.apiKeyRejected), server: .keyRefused),
        Row(
            "401 with a code", .http(401, code: 4_040_010), when: .firstInProduction,
            step: .end(.apiKeyRejected), server: .keyRefused),
        Row(
            "404 4040001", .http(404, code: 4_040_001), step: .refuse(.accountGone),
            server: .sound),
        Row(
            "404 4040003", .http(404, code: 4_040_003), step: .end(.requestRefused),
            server: .sound),
        Row("400", .http(400, code: nil), step: .end(.requestRefused), server: .sound),
        Row(
            "400 4000006", .http(400, code: 4_000_006), step: .end(.requestRefused),
            server: .sound),
        Row(
            "400 4000005 for the first time", .http(400, code: 4_000_005), when: .firstTime,
            step: .beginAgain, server: .sound),
        Row(
            "400 4000005 again", .http(400, code: 4_000_005), step: .end(.requestRefused),
            server: .sound),
    ]

    private static let unknown = [4_040_005, 4_040_010].flatMap { (code: Int) -> [Row] in
        [
            Row(
                "404 \(code) in production", .http(404, code: code), when: .firstInProduction,
                step: .moveToSandbox, server: .sound),
            Row(
                "404 \(code) in the sandbox", .http(404, code: code), when: .firstInSandbox,
                step: .end(.unknownTransaction), server: .sound),
            Row(
                "404 \(code) to a later request", .http(404, code: code),
                step: .retry(.appleUnavailable), server: .ambiguous),
            Row(
                "404 \(code) about the app transaction", .http(404, code: code),
                when: .appTransaction, step: .goWithout, server: .sound),
        ]
    }

    private static let others = [
        Row(
            "404 about the app transaction", .http(404, code: nil), when: .appTransaction,
            step: .goWithout, server: .sound),
        Row(
            "404 4040006 about the app transaction", .http(404, code: 4_040_006),
            when: .appTransaction, step: .goWithout, server: .sound),
        Row(
            "404 without a code", .http(404, code: nil), when: .firstInProduction,
            step: .retry(.appleUnavailable), server: .ambiguous),
        Row(
            "404 4040002", .http(404, code: 4_040_002), when: .firstInProduction,
            step: .retry(.appleUnavailable), server: .ambiguous),
        Row("429", .http(429, code: 4_290_000), step: .retry(.httpStatus), server: .throttled),
        Row("403", .http(403, code: nil), step: .retry(.httpStatus), server: .ambiguous),
        Row("500", .http(500, code: 5_000_000), step: .retry(.httpStatus), server: .troubled),
        Row("503", .http(503, code: nil), step: .retry(.httpStatus), server: .troubled),
        Row("302", .http(302, code: nil), step: .retry(.httpStatus), server: .troubled),
        Row("204", .http(204, code: nil), step: .retry(.httpStatus), server: .troubled),
    ]

    @Test(
        "Each reply leads to one step, and says one thing of the server",
        arguments: answers + refusals + unknown + others)
    func step(row: Row) {
        let found = APIStatus.of(row.reply) { row.conditions.contains($0) }
        #expect(found.step == row.step)
        #expect(found.server == row.server)
    }

    @Test("Any HTTP status has a row, with and without a code, whatever the request was")
    func everyStatus() {
        let codes = [nil, 0, 4_000_005, 4_040_001, 4_040_003, 4_040_005, 4_040_010, 4_290_000]
        for status in Array(-1...1_000) + [.min, .max] where status != 200 {
            for code in codes {
                for isTrue in [true, false] {
                    let row = APIStatus.of(.http(status, code: code)) { _ in isTrue }
                    #expect(row.step != .take, "HTTP \(status), \(code ?? 0)")
                    let isKnown = [400, 401, 404].contains(status)
                    let isRetried = row.step == .retry(.httpStatus)
                    #expect(isKnown != isRetried, "HTTP \(status), \(code ?? 0)")
                }
            }
        }
    }

    @Test("The document has the table of APIStatus, row by row")
    func table() throws {
        let rows = APIStatus.all.map(\.tableRow)
        try StatusPage.check(.serverAPI, rows)
    }
}

/// The tables of `docs/statuses.md`.
enum StatusPage {
    static func check(_ source: AnswerSource, _ rows: [String]) throws {
        let page = try SourceTree.file(at: "docs/statuses.md").text
        let heading = source == .verifyReceipt ? "## verifyReceipt" : "## The App Store Server API"
        let section = try #require(page.split(separator: heading + "\n").last)
        let table = section.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        let head = "| Reply | Condition | Meaning | What is done | What it says of the server |"
        let expected = ([head, "|---|---|---|---|---|"] + rows).joined(separator: "\n")
        // Strings are also equal when they are canonically equivalent.
        let isSame = table.joined(separator: "\n").utf8.elementsEqual(expected.utf8)
        #expect(isSame, "Write into docs/statuses.md:\n\(expected)")
    }
}

extension APIStatus {
    fileprivate var tableRow: String {
        let condition = condition == .always ? "–" : condition.rawValue
        let health = Self.serverWords[server] ?? "\(server)"
        return "| \(replyWords) | \(condition) | \(meaning) | \(whatIsDone) | \(health) |"
    }

    private var replyWords: String {
        switch reply {
        case .whole: return "HTTP 200"
        case .notAuthentic: return "HTTP 200 with a JWS that is not authentic"
        case .incomplete: return "HTTP 200 without what was asked for"
        case .unreadable: return "HTTP 200 without JSON"
        case .failure: return "no HTTP answer"
        case .http(Int.min...Int.max, _): return "any other HTTP status"
        case .http(let statuses, let codes):
            let ends = Set([statuses.lowerBound, statuses.upperBound]).sorted()
            let status = ends.map { "\($0)" }.joined(separator: "–")
            let named = codes.map { $0.map { "\($0)" }.joined(separator: ", ") }
            return "HTTP \(status)" + (named.map { " with \($0)" } ?? "")
        }
    }

    private var whatIsDone: String {
        switch step {
        case .take: "taken; the next part is asked for"
        case .goWithout: "the answer is whole without it"
        case .beginAgain: "the first page is asked for again"
        case .moveToSandbox: "the sandbox is asked"
        case .refuse(let cause):
            "put off to the second look; refused again there: `rejected` (`\(cause.rawValue)`)"
        case .retry where reply == .failure:
            "retried, then `unverified` (`timeout`, `connection_failed`, `answer_too_large`)"
        case .retry(let cause): "retried, then `unverified` (`\(cause.rawValue)`)"
        case .end(let cause): "`unverified` (`\(cause.rawValue)`) at once"
        }
    }

    private static let serverWords: [Server: String] = [
        .sound: "it works", .keyRefused: "it works; the app's key is wrong, or a clock is",
        .ambiguous: "nothing", .troubled: "it is in trouble",
        .throttled: "it asks for fewer requests",
    ]
}
