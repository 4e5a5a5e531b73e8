import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

extension HTTPClient {
    static func testing(
        maxConnections: Int = 16, certificateFile: String? = nil, requestIDHeaders: [String] = []
    ) throws -> HTTPClient {
        var configuration = HTTPConfiguration(
            certificateFile: certificateFile, maxBodyBytes: 1 << 14, maxConnections: maxConnections,
            userAgent: "tester/1", requestIDHeaders: requestIDHeaders)
        configuration.connectTimeout = .seconds(50)
        return try HTTPClient(configuration)
    }

    /// A post with a timeout that only a hanging test reaches.
    func post(_ body: [UInt8] = [1], to server: LoopbackServer) async throws -> HTTPResponse {
        try await post(body, to: server.url, timeout: .seconds(60))
    }
}

/// To add a case: a status that is read like the others, the bytes of a body, or the head lines of
/// a response with the id that is read from them.
@Suite("An HTTP client", .hangLimit)
struct HTTPClientTests {
    @Test(
        "A response has its status, body, date and every Retry-After line; no redirect is followed",
        arguments: [200, 204, 301, 302, 307, 400, 404, 429, 500, 503])
    func response(status: Int) async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let headers = ["Location: /b", "Retry-After: 5", "Date: \(date)", "retry-after:  1.5 "]
        let body = status == 204 ? "" : "{}"
        let server = try LoopbackServer { _ in
            [.reply(status: "\(status) X", headers: headers, body)]
        }
        let response = try await HTTPClient.testing().post(to: server)
        #expect(response.status == status)
        #expect(response.body == Array(body.utf8))
        #expect(response.retryAfter == ["5", "1.5"])
        #expect(response.date == date)
        #expect(server.requests.count == 1)
    }

    @Test("A request has its whole body and exact head lines", arguments: [0, 25, 2_500_000])
    func request(bytes: Int) async throws {
        let server = try LoopbackServer { _ in [.reply("{}")] }
        let body = (0..<bytes).map { UInt8(truncatingIfNeeded: $0) }
        _ = try await HTTPClient.testing().post(body, to: server)
        let request = try #require(server.requests.first)
        #expect(request.body.elementsEqual(body))
        let lines = [
            "POST /verify HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Accept: */*",
            "Content-Type: application/json", "Accept-Encoding: gzip", "User-Agent: tester/1",
            "Content-Length: \(bytes)",
        ]
        #expect(request.head.components(separatedBy: "\r\n") == lines + ["", ""])
    }

    @Test("Sequential requests use one connection, and no cookie is sent back")
    func keepAlive() async throws {
        let server = try LoopbackServer { request in
            [.reply(headers: ["Set-Cookie: a=b; Path=/"], "\(request.number)")]
        }
        let client = try HTTPClient.testing()
        for number in 0..<50 {
            #expect(try await client.post(to: server).body == Array("\(number)".utf8))
        }
        #expect(server.connections == 1)
        #expect(server.requests.allSatisfy { !$0.head.lowercased().contains("cookie") })
    }

    @Test("Parallel requests use as many connections, and each gets its own response")
    func concurrent() async throws {
        let server = try LoopbackServer { [.reply($0.body)] }
        let client = try HTTPClient.testing(maxConnections: 8)
        try await forEach(in: Array(0..<500), atMost: 500) { number in
            let body = Array("\(number)".utf8)
            let response = try await client.post(body, to: server)
            #expect(response.body == body)
        }
        #expect(server.requests.count == 500)
        #expect((1...8).contains(server.connections))
    }

    @Test("A request ends when its task is cancelled, and at shutdown", arguments: [false, true])
    func ends(byShutdown: Bool) async throws {
        let server = try LoopbackServer { _ in [.stall] }
        let client = try HTTPClient.testing()
        let task = Task { try await client.post(to: server) }
        try await server.arrival()
        if byShutdown { await client.shutdown() } else { task.cancel() }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        try await server.departure()
        guard byShutdown else { return }
        await #expect(throws: CancellationError.self) { _ = try await client.post(to: server) }
        #expect(server.requests.count == 1)
    }

    @Test("The client survives cancellation at every moment, and sends nothing after it")
    func cancelAnytime() async throws {
        let server = try LoopbackServer { _ in [.reply("{}")] }
        let client = try HTTPClient.testing(maxConnections: 4)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.post(to: server)
        }
        await #expect(throws: CancellationError.self) { _ = try await late.value }
        #expect(server.requests.isEmpty)
        try await forEach(in: Array(0..<300), atMost: 300) { number in
            let task = Task { try await client.post(to: server) }
            for _ in 0..<(number % 40) { await Task.yield() }
            task.cancel()
            do { _ = try await task.value } catch is CancellationError {}
        }
        #expect(try await client.post(to: server).status == 200)
    }

    @Test("A released client closes its connections, and its loop ends, started or not")
    func release() async throws {
        let server = try LoopbackServer { _ in [.reply("{}")] }
        weak var former: HTTPClient?
        weak var idle: CurlLoop?
        do {
            let client = try HTTPClient.testing()
            former = client
            _ = try await client.post(to: server)
            let loop = try CurlLoop(maxConnections: 1)
            idle = loop
            loop.stop()
        }
        // The end of the loop closes the connection, after its thread has ended.
        try await server.departure()
        #expect(former == nil)
        #expect(idle == nil)
    }

    private static let longest = String(repeating: "a", count: 100)

    @Test(
        "The id is the first configured header line that is a short word of a–z, 0–9 and hyphens",
        arguments: [
            (["X-First: abc"], "abc"), (["X-SECOND: abc"], "abc"),
            (["X-Second: later", "X-First: sooner"], "sooner"),
            (["x-first:   AZaz09-   "], "AZaz09-"), (["X-First: \(longest)"], longest),
            (["X-First: one", "X-First: two"], "one"), (["X-First: a b", "X-Second: abc"], "abc"),
            (["X-Third: abc"], nil), (["X-First:"], nil), (["X-First: a b"], nil),
            (["X-First: a_b"], nil), (["X-First: \"a\""], nil), (["X-First: é"], nil),
            (["X-First: a,b"], nil), (["X-First: a\u{9B}31m"], nil),
            (["X-First: a\u{1B}[2J"], nil), (["X-First: \(longest)a"], nil),
        ] as [(headers: [String], expected: String?)])
    func requestID(headers: [String], expected: String?) async throws {
        for status in ["200 OK", "429 No", "503 No", "302 Go"] {
            let server = try LoopbackServer { request in
                [.reply(status: status, headers: request.number == 1 ? [] : headers, "{}")]
            }
            let client = try HTTPClient.testing(requestIDHeaders: ["X-First", "x-second"])
            let response = try await client.post(to: server)
            #expect(response.requestID == expected)
            #expect(response.body == Array("{}".utf8))
            // Each response has its own id, and none where no line is configured.
            #expect(try await client.post(to: server).requestID == nil)
            #expect(server.connections == 1)
            #expect(try await HTTPClient.testing().post(to: server).requestID == nil)
        }
    }
}
