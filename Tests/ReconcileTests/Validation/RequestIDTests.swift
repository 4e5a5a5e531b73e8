import Testing

@testable import Reconcile
@testable import TestSupport

/// Apple's support asks for the request id, so the operator must be able to read it.
@Suite("Apple's id of a request", .timeLimit(.minutes(10)))
struct RequestIDTests {
    private func report(
        _ headers: [String], log: (@Sendable (RequestLine) -> Void)? = nil
    ) async throws -> ValidationReport {
        let apple = try ScriptedApple { ask in
            [.reply(status: "503 No", headers: ask.attempt == 2 ? headers : [], "")]
        }
        let validator = try AppStoreValidator.asking(apple, log: log)
        return try await validator.report(on: TestDatabase.receipt("r"))
    }

    @Test(
        "The id is in the detail of an unverified receipt",
        arguments: [
            (["x-apple-request-uuid: 0A1b-2c"], "0A1b-2c"),
            (["X-Apple-Request-UUID: 0A1b-2c"], "0A1b-2c"),
            (["x-apple-jingle-correlation-key: KEY7"], "KEY7"),
            (["x-apple-jingle-correlation-key: KEY7", "x-apple-request-uuid: first"], "first"),
            (["x-apple-jingle-correlation-key: KEY7", "x-apple-request-uuid: no word"], "KEY7"),
        ])
    func named(headers: [String], name: String) async throws {
        let report = try await report(headers)
        #expect(report.validation == .unverified(.httpStatus))
        #expect(report.attempts.detail == "HTTP 503 (production, attempt 2, request \(name))")
    }

    @Test(
        "The id is left out when a server gives none or something else",
        arguments: [
            [], ["x-apple-request-uuid: "], ["x-apple-request-uuid: a b"],
            ["x-apple-request-uuid: <b>7</b>"], ["x-apple-request-uuid: =cmd()"],
            ["x-apple-request-uuid: \u{1B}[31m7"], ["x-apple-request-uuid: 7\u{9B}31m"],
            ["x-apple-request-uuid: é"], ["x-apple-request-uuid: 7,8"],
            ["x-apple-request-uuid: " + String(repeating: "7", count: 101)],
            ["x-request-id: 7"], ["request-uuid: 7"],
        ])
    func hostile(headers: [String]) async throws {
        let report = try await report(headers)
        #expect(report.attempts.detail == "HTTP 503 (production, attempt 2)")
    }

    @Test("The id is in the request's log line")
    func logged() async throws {
        let lines = Shared<[RequestLine]>([])
        _ = try await report(["x-apple-request-uuid: 0A1b-2c"]) { line in
            lines.update { $0.append(line) }
        }
        #expect(lines.current.map(\.requestID) == [nil, "0A1b-2c"])
    }
}

@Suite("The log line of a request", .timeLimit(.minutes(10)))
struct RequestLineTests {
    private struct Line: Equatable {
        var server = StoreEnvironment.production
        let attempt: Int
        var httpStatus: Int?
        var status: Int?
        var bytes = 0
        var failure: String?
    }

    private func lines(
        _ script: @escaping @Sendable (ScriptedApple.Ask) -> [LoopbackServer.Act]
    ) async throws -> [RequestLine] {
        let lines = Shared<[RequestLine]>([])
        let apple = try ScriptedApple(script)
        let validator = try AppStoreValidator.asking(
            apple, log: { line in lines.update { $0.append(line) } })
        let request = try validator.question(TestDatabase.receipt("r"))
        _ = try await validator.look(at: request, of: "r1")
        return lines.current
    }

    private func check(_ lines: [RequestLine], _ expected: [Line]) {
        #expect(lines.allSatisfy { $0.receipt == "r1" && $0.duration > .zero })
        let seen = lines.map { line in
            Line(
                server: line.server, attempt: line.attempt, httpStatus: line.httpStatus,
                status: line.status, bytes: line.bytes, failure: line.failure)
        }
        #expect(seen == expected)
    }

    @Test("The line has the server, the attempt, both statuses and the size of the answer")
    func answered() async throws {
        let valid = AppleAnswer.verified(environment: .sandbox)
        let moved = AppleAnswer.status(21007)
        let seen = try await lines { ask in
            if ask.environment == .production { return [.reply(moved)] }
            return ask.attempt == 1 ? [.reply("<html>")] : [.reply(valid)]
        }
        check(
            seen,
            [
                Line(attempt: 1, httpStatus: 200, status: 21007, bytes: moved.utf8.count),
                Line(server: .sandbox, attempt: 2, httpStatus: 200, bytes: 6),
                Line(
                    server: .sandbox, attempt: 3, httpStatus: 200, status: 0,
                    bytes: valid.utf8.count),
            ])
    }

    @Test("The line has no size from an earlier answer when a later request fails")
    func failed() async throws {
        let seen = try await lines { ask in
            ask.attempt == 1 ? [.reply(AppleAnswer.status(21005))] : [.hangUp]
        }
        try #require(seen.count == 2)
        #expect(seen[1].failure?.hasPrefix("curl ") == true)
        let body = AppleAnswer.status(21005)
        check(
            seen,
            [
                Line(attempt: 1, httpStatus: 200, status: 21005, bytes: body.utf8.count),
                Line(attempt: 2, failure: seen[1].failure),
            ])
    }

    @Test("A refusal and another HTTP status have a line too")
    func refused() async throws {
        let seen = try await lines { ask in
            ask.attempt == 1
                ? [.reply(status: "502 No", "oops")] : [.reply(AppleAnswer.status(21010))]
        }
        check(
            seen,
            [
                Line(attempt: 1, httpStatus: 502, bytes: 4),
                Line(
                    attempt: 2, httpStatus: 200, status: 21010,
                    bytes: AppleAnswer.status(21010).utf8.count),
            ])
    }
}
