import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An HTTP client", .timeLimit(.minutes(10)))
struct HTTPClientTests {
    @Test("A response has its status, body, date and every Retry-After line")
    func response() async throws {
        let headers = [
            "Retry-After: 5", "Date: Sun, 06 Nov 1994 08:49:37 GMT", "retry-after:  1.5 ",
        ]
        let server = try LoopbackServer { _ in [.reply(status: "503 Busy", headers: headers, "{}")]
        }
        let response = try await HTTPClient.testing().post(to: server)
        #expect(response.status == 503)
        #expect(response.body == Array("{}".utf8))
        #expect(response.retryAfter == ["5", "1.5"])
        #expect(response.date == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(
        "A request has its whole body and exactly the expected header lines",
        arguments: [0, 25, 2_500_000])
    func request(bytes: Int) async throws {
        let server = try LoopbackServer { _ in [.reply("{}")] }
        let body = (0..<bytes).map { UInt8(truncatingIfNeeded: $0) }
        _ = try await HTTPClient.testing().post(body, to: server)
        let request = try #require(server.requests.first)
        #expect(request.body == body)
        #expect(
            request.head.split(separator: "\r\n") == [
                "POST /verify HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Accept: */*",
                "Content-Type: application/json", "Accept-Encoding: gzip",
                "User-Agent: tester/1", "Content-Length: \(bytes)",
            ])
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
        try await withThrowingTaskGroup { group in
            for number in 0..<500 {
                group.addTask {
                    let body = Array("\(number)".utf8)
                    let response = try await client.post(body, to: server)
                    #expect(response.body == body)
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 500)
        #expect((1...8).contains(server.connections))
    }

    @Test(
        "A response of any status is returned, and no redirect is followed",
        arguments: [200, 204, 301, 302, 307, 400, 404, 429, 500, 503])
    func statuses(status: Int) async throws {
        let server = try LoopbackServer { _ in
            [.reply(status: "\(status) X", headers: ["Location: /b"], "")]
        }
        #expect(try await HTTPClient.testing().post(to: server).status == status)
        #expect(server.requests.count == 1)
    }

    private static let packed = Array(
        Data(base64Encoded: "H4sIAAAAAAACA6tWKi5JLCktVrIyqAUAMBcCcwwAAAA=")!)
    private static let longest = [UInt8](repeating: 7, count: 1 << 14)

    @Test(
        "A gzip body is decompressed, a chunked one joined, and one of exactly the limit accepted",
        arguments: [
            (
                .reply(headers: ["Content-Encoding: gzip"], packed), Array(#"{"status":0}"#.utf8)
            ),
            (
                .send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), Array("abcde".utf8)
            ),
            (.reply(longest), longest),
        ] as [(LoopbackServer.Act, [UInt8])])
    func body(act: LoopbackServer.Act, body: [UInt8]) async throws {
        let server = try LoopbackServer { _ in [act] }
        #expect(try await HTTPClient.testing().post(to: server).body == body)
    }
}

@Suite("The lifetime of an HTTP client", .timeLimit(.minutes(10)))
struct HTTPClientLifeTests {
    @Test(
        "A request ends when its task is cancelled, and at shutdown, after which none begins",
        arguments: [false, true])
    func ends(byShutdown: Bool) async throws {
        let server = try LoopbackServer { _ in [.stall] }
        let client = try HTTPClient.testing()
        let task = Task { try await client.post(to: server) }
        await server.arrival(of: 1)
        if byShutdown { await client.shutdown() } else { task.cancel() }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        await server.departure(of: 1)
        guard byShutdown else { return }
        await #expect(throws: CancellationError.self) { _ = try await client.post(to: server) }
        #expect(server.requests.count == 1)
    }

    @Test("A task that is already cancelled sends nothing")
    func cancelledBefore() async throws {
        let server = try LoopbackServer { _ in [.reply("{}")] }
        let client = try HTTPClient.testing()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.post(to: server)
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test("The client survives cancellation at every moment")
    func cancelAnytime() async throws {
        let server = try LoopbackServer { _ in [.reply("{}")] }
        let client = try HTTPClient.testing(maxConnections: 4)
        try await withThrowingTaskGroup { group in
            for number in 0..<300 {
                group.addTask {
                    let task = Task { try await client.post(to: server) }
                    for _ in 0..<(number % 40) { await Task.yield() }
                    task.cancel()
                    do {
                        _ = try await task.value
                    } catch is CancellationError {}
                }
            }
            try await group.waitForAll()
        }
        #expect(try await client.post(to: server).status == 200)
    }

    @Test("A released client closes its connections and ends its thread")
    func release() async throws {
        let server = try LoopbackServer { _ in [.reply("{}")] }
        weak var former: HTTPClient?
        do {
            let client = try HTTPClient.testing()
            former = client
            _ = try await client.post(to: server)
        }
        // The end of the loop closes the connection, after its thread has ended.
        await server.departure(of: 1)
        #expect(former == nil)
    }

    @Test("Stop ends the loop's thread, started or not", arguments: [true, false])
    func stop(isStarted: Bool) throws {
        weak var former: CurlLoop?
        do {
            let loop = try CurlLoop(maxConnections: 1)
            former = loop
            if isStarted { try loop.start { _ in } }
            loop.stop()
        }
        #expect(former == nil)
    }
}
