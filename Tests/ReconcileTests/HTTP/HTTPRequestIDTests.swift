import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The server's id of a request", .timeLimit(.minutes(10)))
struct HTTPRequestIDTests {
    private static let longest = String(repeating: "a", count: 100)

    @Test(
        "The id is the first configured header line that is a short word of a–z, 0–9 and hyphens",
        arguments: [
            (["X-First: abc"], "abc"), (["X-SECOND: abc"], "abc"),
            (["X-Second: later", "X-First: sooner"], "sooner"),
            (["x-first:   AZaz09-   "], "AZaz09-"), (["X-First: \(longest)"], longest),
            (["X-First: one", "X-First: two"], "one"), (["X-First: a b", "X-Second: abc"], "abc"),
            ([], nil), (["X-First:"], nil), (["X-First: a b"], nil), (["X-First: a,b"], nil),
            (["X-First: a_b"], nil), (["X-First: \"a\""], nil), (["X-First: <a>"], nil),
            (["X-First: =a()"], nil), (["X-First: é"], nil), (["X-First: a\u{1B}[2J"], nil),
            (["X-First: a\u{9B}31m"], nil), (["X-First: \(longest)a"], nil),
            (["X-Third: abc"], nil),
        ] as [([String], String?)])
    func value(headers: [String], expected: String?) async throws {
        #expect(try await requestIDs(headers) == [expected])
    }

    @Test(
        "The id is read from a response of any status", arguments: ["429 No", "503 No", "302 Go"])
    func anyStatus(status: String) async throws {
        #expect(try await requestIDs(["X-First: abc"], status: status) == ["abc"])
    }

    @Test("Without configured header lines there is no id")
    func notConfigured() async throws {
        #expect(try await requestIDs(["X-First: abc"], names: []) == [nil])
    }

    @Test("An earlier response on the same connection leaves no id behind")
    func notRemembered() async throws {
        #expect(try await requestIDs(["X-First: abc"], requests: 2) == ["abc", nil])
    }

    /// The ids that a client reads from responses, of which only the first has these headers.
    private func requestIDs(
        _ headers: [String], names: [String] = ["X-First", "x-second"], status: String = "200 OK",
        requests: Int = 1
    ) async throws -> [String?] {
        let server = try LoopbackServer { request in
            [.reply(status: status, headers: request.number == 0 ? headers : [], "{}")]
        }
        let client = try HTTPClient.testing(maxConnections: 1, requestIDHeaders: names)
        var ids: [String?] = []
        for _ in 1...requests {
            let response = try await client.post([], to: server)
            #expect(response.body == Array("{}".utf8))
            ids.append(response.requestID)
        }
        #expect(server.connections == 1)
        return ids
    }
}
