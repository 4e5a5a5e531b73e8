import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An HTTP client", .timeLimit(.minutes(10)))
struct HTTPClientTests {
    static func client(
        maxConnections: Int = 16, maxBodyBytes: Int = 1 << 14, certificateFile: String? = nil
    ) throws -> HTTPClient {
        try HTTPClient(
            HTTPConfiguration(
                certificateFile: certificateFile, maxBodyBytes: maxBodyBytes,
                maxConnections: maxConnections, userAgent: "tester/1"))
    }

    private let body = Array(#"{"receipt-data":"AAAA"}"#.utf8)

    @Test("A response has its status, body, date and every Retry-After line")
    func response() async throws {
        let headers = [
            "Retry-After: 5", "Date: Sun, 06 Nov 1994 08:49:37 GMT", "retry-after:  1.5 ",
        ]
        let server = try LoopbackServer { _ in [.reply(status: "503 Busy", headers: headers, "{}")]
        }
        let response = try await Self.client().post(body, to: server.url, timeout: .seconds(10))
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
        _ = try await Self.client().post(body, to: server.url, timeout: .seconds(30))
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
        let client = try Self.client()
        for number in 0..<50 {
            let response = try await client.post(body, to: server.url, timeout: .seconds(10))
            #expect(response.body == Array("\(number)".utf8))
        }
        #expect(server.connections == 1)
        #expect(server.requests.allSatisfy { !$0.head.lowercased().contains("cookie") })
    }

    @Test("Parallel requests use as many connections, and each gets its own response")
    func concurrent() async throws {
        let server = try LoopbackServer { [.reply($0.body)] }
        let client = try Self.client(maxConnections: 8)
        try await withThrowingTaskGroup { group in
            for number in 0..<500 {
                group.addTask {
                    let body = Array("\(number)".utf8)
                    let answer = try await client.post(body, to: server.url, timeout: .seconds(30))
                    #expect(answer.body == body)
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
        let response = try await Self.client().post(body, to: server.url, timeout: .seconds(10))
        #expect(response.status == status)
        #expect(server.requests.count == 1)
    }

    @Test("A gzip body is decompressed")
    func gzip() async throws {
        let packed = try #require(
            Data(base64Encoded: "H4sIAAAAAAACA6tWKi5JLCktVrIyqAUAMBcCcwwAAAA="))
        let server = try LoopbackServer { _ in
            [.reply(headers: ["Content-Encoding: gzip"], Array(packed))]
        }
        let response = try await Self.client().post(body, to: server.url, timeout: .seconds(10))
        #expect(response.body == Array(#"{"status":0}"#.utf8))
    }

    @Test("A chunked body is joined")
    func chunked() async throws {
        let server = try LoopbackServer(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        let response = try await Self.client().post(body, to: server.url, timeout: .seconds(10))
        #expect(response.body == Array("abcde".utf8))
    }

    @Test("A body of exactly the limit is accepted")
    func limit() async throws {
        let server = try LoopbackServer { _ in [.reply([UInt8](repeating: 7, count: 1 << 14))] }
        let response = try await Self.client().post(body, to: server.url, timeout: .seconds(10))
        #expect(response.body.count == 1 << 14)
    }
}
