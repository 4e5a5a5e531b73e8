import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A failed HTTP request", .timeLimit(.minutes(10)))
struct HTTPFailureTests {
    /// 64 KiB of zeros in 95 bytes.
    private static let bomb = Array(
        Data(
            base64Encoded:
                "H4sIAAAAAAACA+3BAQEAAACAkP6v7ggKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
                + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAauuOl9cAAAEA")!)

    private static let oneByteOver = [UInt8](repeating: 32, count: (1 << 14) + 1)

    @Test(
        "The error says what failed, and the client still works",
        arguments: [
            ("hang-up before the answer", [.hangUp], .interrupted),
            ("reset before the answer", [.reset], .interrupted),
            (
                "reset within the body",
                [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"), .reset], .interrupted
            ),
            (
                "a body shorter than its Content-Length",
                [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"), .hangUp], .interrupted
            ),
            (
                "chunks without an end",
                [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab"), .hangUp],
                .interrupted
            ),
            (
                "bytes that are no gzip", [.reply(headers: ["Content-Encoding: gzip"], "plain")],
                .undecodable
            ),
            ("no HTTP at all", [.send("SSH-2.0-x\r\n"), .hangUp], .other),
            ("a Content-Length over the limit", [.reply(oneByteOver)], .tooLarge),
            (
                "chunks over the limit",
                [
                    .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4001\r\n"),
                    .send(oneByteOver), .stall,
                ], .tooLarge
            ),
            (
                "a gzip bomb", [.reply(headers: ["Content-Encoding: gzip"], bomb)],
                .tooLarge
            ),
            (
                "an endless head line",
                [.send("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 400_000)), .stall],
                .tooLarge
            ),
            (
                "head lines without end",
                [.send("HTTP/1.1 200 OK\r\n" + lines(70)), .stall], .tooLarge
            ),
            (
                "trailers without end",
                [
                    .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"),
                    .send(lines(70)), .stall,
                ], .tooLarge
            ),
        ] as [(String, [LoopbackServer.Act], HTTPError.Reason)])
    func reasons(name: String, acts: [LoopbackServer.Act], reason: HTTPError.Reason) async throws {
        let server = try LoopbackServer { $0.number == 0 ? acts : [.reply("{}")] }
        let client = try HTTPClientTests.client()
        let error = await failure(of: client, server.url + "?secret=1", timeout: .seconds(20))
        #expect(error?.reason == reason, "\(name): \(String(describing: error))")
        #expect(error?.description.contains("secret") == false)
        #expect(server.requests.count == 1)
        let response = try await client.post([1], to: server.url, timeout: .seconds(20))
        #expect(response.body == Array("{}".utf8))
    }

    /// That many header lines of 1 KiB.
    private static func lines(_ count: Int) -> String {
        String(repeating: "X: " + String(repeating: "x", count: 1_019) + "\r\n", count: count)
    }

    @Test("Header lines of 60 KiB are accepted")
    func manyLines() async throws {
        let server = try LoopbackServer(
            "HTTP/1.1 200 OK\r\n\(Self.lines(60))Content-Length: 2\r\n\r\n{}")
        let client = try HTTPClientTests.client()
        for _ in 1...3 {
            let answer = try await client.post([1], to: server.url, timeout: .seconds(20))
            #expect(answer.body == Array("{}".utf8))
        }
    }

    @Test("A request on a dead keep-alive connection fails and is not silently repeated")
    func once() async throws {
        let server = try LoopbackServer { $0.number == 1 ? [.hangUp] : [.reply("{}")] }
        let client = try HTTPClientTests.client()
        _ = try await client.post([1], to: server.url, timeout: .seconds(20))
        let error = await failure(of: client, server.url, timeout: .seconds(20))
        #expect(error?.reason == .interrupted)
        #expect(server.requests.count == 2)
    }

    @Test(
        "A request ends at its timeout",
        arguments: [.milliseconds(60), .zero, .seconds(-1)] as [Duration])
    func timeout(timeout: Duration) async throws {
        let server = try LoopbackServer { _ in [.stall] }
        let error = await failure(of: try HTTPClientTests.client(), server.url, timeout: timeout)
        #expect(error?.reason == .timeout)
    }

    @Test(
        "Any timeout is accepted, from zero to the longest duration",
        arguments: [.seconds(Int64.max), .seconds(1 << 40)] as [Duration])
    func longTimeout(timeout: Duration) async throws {
        let server = try LoopbackServer { _ in [.reply("{}")] }
        let answer = try await HTTPClientTests.client().post([], to: server.url, timeout: timeout)
        #expect(answer.status == 200)
    }

    @Test(
        "An unknown host, a missing server and an unsupported URL are named",
        arguments: [
            // An empty label: the resolver itself refuses it, so no network is used.
            ("http://no..such/", .resolve), ("http://127.0.0.1:PORT/", .connect),
            ("ftp://127.0.0.1:PORT/", .other), ("file:///etc/hostname", .other),
            ("http://user:word@127.0.0.1:PORT/", .other), ("", .other), ("http://", .other),
        ] as [(String, HTTPError.Reason)])
    func unreachable(url: String, reason: HTTPError.Reason) async throws {
        let port = try LoopbackSocket.closedPort()
        let url = url.replacing("PORT", with: "\(port)")
        let error = await failure(of: try HTTPClientTests.client(), url, timeout: .seconds(20))
        #expect(error?.reason == reason)
        #expect(error?.description.contains("word") == false)
    }

    @Test("The message says in plain words what failed and what to do")
    func words() async throws {
        let server = try LoopbackServer { _ in [.hangUp] }
        let error = await failure(
            of: try HTTPClientTests.client(), server.url, timeout: .seconds(20))
        #expect(
            error?.description == "The connection broke before the answer was complete (curl 52: "
                + "Server returned nothing (no headers, no data)). Try again.")
        // The use also keeps the server alive: another test could get its port.
        #expect(server.requests.count == 1)
    }

    private func failure(of client: HTTPClient, _ url: String, timeout: Duration) async
        -> HTTPError?
    {
        do {
            _ = try await client.post([1, 2, 3], to: url, timeout: timeout)
            return nil
        } catch {
            return error as? HTTPError
        }
    }
}
