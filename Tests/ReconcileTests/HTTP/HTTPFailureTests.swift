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
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    private static let halfBody = ok + "Content-Length: 9\r\n\r\nab"

    /// That many header lines of 1 KiB.
    private static func lines(_ count: Int) -> String {
        String(repeating: "X: " + String(repeating: "x", count: 1_019) + "\r\n", count: count)
    }

    @Test(
        "The error says what failed, and the client still works",
        arguments: [
            ("hang-up before the answer", [.hangUp], .interrupted),
            ("reset before the answer", [.reset], .interrupted),
            ("reset within the body", [.send(halfBody), .reset], .interrupted),
            ("a body below its Content-Length", [.send(halfBody), .hangUp], .interrupted),
            ("chunks without an end", [.send(chunked + "2\r\nab"), .hangUp], .interrupted),
            ("no gzip", [.reply(headers: ["Content-Encoding: gzip"], "plain")], .undecodable),
            ("no HTTP at all", [.send("SSH-2.0-x\r\n"), .hangUp], .other),
            ("a Content-Length over the limit", [.reply(oneByteOver)], .tooLarge),
            (
                "chunks over the limit",
                [.send(chunked + "4001\r\n"), .send(oneByteOver), .stall], .tooLarge
            ),
            ("a gzip bomb", [.reply(headers: ["Content-Encoding: gzip"], bomb)], .tooLarge),
            (
                "an endless head line",
                [.send(ok + "X: " + String(repeating: "x", count: 400_000)), .stall], .tooLarge
            ),
            ("head lines without end", [.send(ok + lines(70)), .stall], .tooLarge),
            ("trailers without end", [.send(chunked + "0\r\n" + lines(70)), .stall], .tooLarge),
        ] as [(String, [LoopbackServer.Act], HTTPError.Reason)])
    func reasons(name: String, acts: [LoopbackServer.Act], reason: HTTPError.Reason) async throws {
        let server = try LoopbackServer { $0.number == 0 ? acts : [.reply("{}")] }
        let client = try HTTPClient.testing()
        let error = await client.failure(at: server.url + "?secret=1")
        #expect(error?.reason == reason, "\(name): \(String(describing: error))")
        #expect(error?.description.contains("secret") == false)
        #expect(server.requests.count == 1)
        #expect(try await client.post(to: server).body == Array("{}".utf8))
    }

    @Test("Header lines of 60 KiB are accepted")
    func manyLines() async throws {
        let server = try LoopbackServer(Self.ok + Self.lines(60) + "Content-Length: 2\r\n\r\n{}")
        let client = try HTTPClient.testing()
        for _ in 1...3 { #expect(try await client.post(to: server).body == Array("{}".utf8)) }
    }

    @Test("A request on a dead keep-alive connection fails and is not silently repeated")
    func once() async throws {
        let server = try LoopbackServer { $0.number == 1 ? [.hangUp] : [.reply("{}")] }
        let client = try HTTPClient.testing()
        _ = try await client.post(to: server)
        #expect(await client.failure(at: server.url)?.reason == .interrupted)
        #expect(server.requests.count == 2)
    }

    @Test(
        "A request ends at its timeout",
        arguments: [.milliseconds(60), .zero, .seconds(-1)] as [Duration])
    func timeout(timeout: Duration) async throws {
        let server = try LoopbackServer { _ in [.stall] }
        let error = await (try HTTPClient.testing()).failure(at: server.url, timeout: timeout)
        #expect(error?.reason == .timeout)
    }

    @Test(
        "Any timeout is accepted, from zero to the longest duration",
        arguments: [.seconds(Int64.max), .seconds(1 << 40)] as [Duration])
    func longTimeout(timeout: Duration) async throws {
        let server = try LoopbackServer { _ in [.reply("{}")] }
        let answer = try await HTTPClient.testing().post([], to: server.url, timeout: timeout)
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
        let error = await (try HTTPClient.testing()).failure(at: url)
        #expect(error?.reason == reason)
        #expect(error?.description.contains("word") == false)
    }

    @Test("The message says in plain words what failed and what to do")
    func words() async throws {
        let server = try LoopbackServer { _ in [.hangUp] }
        let error = await (try HTTPClient.testing()).failure(at: server.url)
        #expect(
            error?.description == "The connection broke before the answer was complete (curl 52: "
                + "Server returned nothing (no headers, no data)). Try again.")
        // The use also keeps the server alive: another test could get its port.
        #expect(server.requests.count == 1)
    }
}

@Suite("The trust of an HTTP client", .timeLimit(.minutes(10)))
struct HTTPTrustTests {
    @Test(
        "Only a certificate of the CA file for the right host is accepted, and no TLS 1.1",
        arguments: [
            ("localhost", "its own", [], nil), ("localhost", nil, [], .certificate),
            ("127.0.0.1", "its own", [], .certificate),
            ("localhost", "/dev/null", [], .certificate),
            ("localhost", "its own", ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"], .tls),
        ] as [(String, String?, [String], HTTPError.Reason?)])
    func trust(
        host: String, file: String?, options: [String], refusal: HTTPError.Reason?
    ) async throws {
        let certificate = try TLSCertificate()
        let server = try TLSLoopbackServer(certificate, options: options)
        do {
            let client = try HTTPClient.testing(
                certificateFile: file == "its own" ? certificate.file : file)
            let response = try await client.post(
                [1], to: "https://\(host):\(server.port)/", timeout: .seconds(60))
            #expect(refusal == nil && response.body == Array("ok".utf8))
        } catch let error as HTTPError {
            #expect(error.reason == refusal)
            #expect(file != nil || error.description.contains("self-signed certificate"))
        }
    }

    @Test("A client cannot be made without its certificate file")
    func missingFile() {
        let error = #expect(throws: HTTPError.self) {
            _ = try HTTPClient.testing(certificateFile: "/nonexistent/ca.pem")
        }
        #expect(error?.reason == .certificate)
    }
}
