import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The server's id of a request", .timeLimit(.minutes(10)))
struct HTTPRequestIDTests {
    /// The id that a client reads when it is configured for `X-First` and then `X-Second`.
    private func requestID(
        _ headers: [String], names: [String] = ["X-First", "x-second"], status: String = "200 OK"
    ) async throws -> String? {
        let server = try LoopbackServer { _ in [.reply(status: status, headers: headers, "{}")] }
        let client = try HTTPClient(
            HTTPConfiguration(maxConnections: 1, userAgent: "tester/1", requestIDHeaders: names))
        let response = try await client.post([], to: server.url, timeout: .seconds(10))
        #expect(response.body == Array("{}".utf8))
        return response.requestID
    }

    private static let longest = String(repeating: "a", count: 100)

    @Test(
        "The id is the value of the first configured header line that is present",
        arguments: [
            (["X-First: abc"], "abc"), (["X-SECOND: abc"], "abc"),
            (["X-Second: later", "X-First: sooner"], "sooner"),
            (["x-first:   AZaz09-   "], "AZaz09-"), (["X-First: \(longest)"], longest),
            (["X-First: one", "X-First: two"], "one"),
        ])
    func value(headers: [String], expected: String) async throws {
        #expect(try await requestID(headers) == expected)
    }

    @Test(
        "The id is read from a response of any status", arguments: ["429 No", "503 No", "302 Go"])
    func anyStatus(status: String) async throws {
        #expect(try await requestID(["X-First: abc"], status: status) == "abc")
    }

    @Test(
        "Only a short word of letters, digits and hyphens is an id",
        arguments: [
            [], ["X-First:"], ["X-First: a b"], ["X-First: a,b"], ["X-First: a_b"],
            ["X-First: \"a\""], ["X-First: <a>"], ["X-First: é"], ["X-First: a\u{1B}[2J"],
            ["X-First: \(longest)a"], ["X-Third: abc"],
        ])
    func noWord(headers: [String]) async throws {
        #expect(try await requestID(headers) == nil)
    }

    @Test("If the first header line is no such word, the next one is used")
    func next() async throws {
        #expect(try await requestID(["X-First: a b", "X-Second: abc"]) == "abc")
    }

    @Test("Without configured header lines there is no id")
    func notConfigured() async throws {
        #expect(try await requestID(["X-First: abc"], names: []) == nil)
    }

    @Test("An earlier response on the same connection leaves no id behind")
    func notRemembered() async throws {
        let server = try LoopbackServer { request in
            [.reply(headers: request.number == 0 ? ["X-First: abc"] : [], "{}")]
        }
        let client = try HTTPClient(
            HTTPConfiguration(
                maxConnections: 1, userAgent: "tester/1", requestIDHeaders: ["X-First"]))
        var names: [String?] = []
        for _ in 1...2 {
            names.append(
                try await client.post([], to: server.url, timeout: .seconds(10)).requestID)
        }
        #expect(names == ["abc", nil])
        #expect(server.connections == 1)
    }
}
