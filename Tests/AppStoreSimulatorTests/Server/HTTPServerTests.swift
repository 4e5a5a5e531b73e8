import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

@Suite("The simulated server")
struct HTTPServerTests {
    private static let malformed =
        #"{"status":21002,"exception":"java.lang.IllegalArgumentException"}"#

    @Test("The server answers like Apple's: reason phrase, cookies, no content type, keep-alive")
    func answers() throws {
        try serving { simulator, _ in
            let client = RawClient(simulator.productionURL)
            for _ in 0..<3 {
                client.post(Array(#"{"receipt-data":"AAAA"}"#.utf8))
                let reply = client.reply()
                #expect(reply.hasPrefix("HTTP/1.1 200 Apple WebObjects\r\n"))
                #expect(reply.hasSuffix("\r\n\r\n" + Self.malformed))
                #expect(reply.contains("\r\nSet-Cookie: itspod="))
                #expect(!reply.lowercased().contains("content-type"))
            }
            #expect(simulator.requests == 3)
        }
    }

    @Test("Pipelined requests are answered in order, and a request may come in many pieces")
    func pipelining() throws {
        try serving { simulator, _ in
            let client = RawClient(simulator.sandboxURL)
            let request = "POST /verifyReceipt HTTP/1.1\r\nContent-Length: 2\r\n\r\n"
            client.send(request + "{}" + request + "no" + "GET /else HTTP/1.1\r\n\r\n")
            #expect(client.reply().hasSuffix(Self.malformed))
            #expect(client.reply().hasSuffix(#"{"status":21000}"#))
            #expect(client.reply().hasPrefix("HTTP/1.1 404 "))
            for byte in (request + "{}").utf8 { client.send([byte]) }
            #expect(client.reply().hasSuffix(Self.malformed))
        }
    }

    /// What a client sends, the status of the reply, and whether the connection then ends. A body
    /// of two bytes gets an answer.
    private static let head = "POST /verifyReceipt HTTP/1.1\r\n"
    private static let two = "Content-Length: 2\r\n\r\n{}"

    @Test(
        "A request is answered, or refused and disconnected, as RFC 9112 says",
        arguments: [
            ("nonsense\r\n\r\n", 400, true), ("POST / HTTP/1.1\r\nno colon\r\n\r\n", 400, true),
            (head + "Content-Length: -1\r\n\r\n", 400, true),
            (head + "Content-Length: +2\r\n\r\n{}", 400, true),
            (head + "Content-Length: \r\n\r\n", 400, true),
            ("POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400, true),
            (head + "\r\n", 411, true), (head + "Transfer-Encoding: chunked\r\n\r\n", 411, true),
            (head + "Content-Length: 99999999\r\n\r\n", 413, true),
            ("POST /" + String(repeating: "a", count: 20_000), 413, true),
            (head + "Connection: close\r\n" + two, 200, true),
            (head + "Connection: TE, Close\r\n" + two, 200, true),
            ("POST /verifyReceipt HTTP/1.0\r\n" + two, 200, true),
            (head + "Content-Length: 2 \t\r\n\r\n{}", 200, false),
            ("\r\n\r\n" + head + "Content-Length:2\r\n\r\n{}", 200, false),
        ])
    func speaks(request: String, status: Int, isClosed: Bool) throws {
        try serving { simulator, _ in
            let client = RawClient(simulator.productionURL)
            client.send(request)
            let reply = client.reply()
            #expect(reply.hasPrefix("HTTP/1.1 \(status) "))
            #expect(status != 200 || reply.hasSuffix(Self.malformed))
            if isClosed {
                #expect(client.receive(1).isEmpty)
            } else {
                client.send(Self.head + Self.two)
                #expect(client.reply().hasSuffix(Self.malformed))
            }
        }
    }

    @Test("A client that expects 100 Continue gets it, and a HEAD request gets the header alone")
    func continues() throws {
        try serving { simulator, _ in
            let client = RawClient(simulator.productionURL)
            client.send(Self.head + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(client.receive(25) == Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            client.send("{}")
            #expect(client.reply().hasPrefix("HTTP/1.1 200 "))
            client.send("HEAD /verifyReceipt HTTP/1.1\r\n\r\n")
            #expect(client.head().hasSuffix("Content-Length: 16\r\n\r\n"))
            client.send(Self.head + Self.two)
            #expect(client.reply().hasSuffix(Self.malformed))
        }
    }

    @Test("A client that has closed its sending side gets its answer, even a slow one")
    func halfClosed() throws {
        try serving(latency: .milliseconds(100)) { simulator, _ in
            let client = RawClient(simulator.productionURL)
            client.post(Array("{}".utf8))
            client.sayNoMore()
            #expect(client.reply().hasSuffix(Self.malformed))
            #expect(client.receive(1).isEmpty)
        }
    }

    @Test("A long answer is compressed for a client that accepts gzip")
    func packs() throws {
        try serving { simulator, store in
            let customer = try #require(store.customer(living: .collector))
            let body = Verifier(store: store).answer(
                to: store.body(for: customer), at: .production
            ).body
            let client = RawClient(simulator.productionURL)
            client.post(
                store.body(for: customer), headers: ["Accept-Encoding: deflate, GZIP ;q=1"])
            let head = client.head()
            #expect(head.contains("\r\nContent-Encoding: gzip\r\n"))
            let packed = client.receive(Gzip.stored(body).count)
            #expect(packed == Gzip.stored(body) && packed.starts(with: [0x1F, 0x8B, 8]))
            client.post(Array("{}".utf8), headers: ["Accept-Encoding: gzip"])
            #expect(client.reply().hasSuffix(Self.malformed))
        }
    }

    @Test("Slow answers block no thread: hundreds of requests wait at the same time")
    func waits() throws {
        try serving(latency: .milliseconds(200)) { simulator, _ in
            let start = ContinuousClock.now
            let clients = (0..<200).map { _ in RawClient(simulator.productionURL) }
            for client in clients { client.post(Array("{}".utf8)) }
            for client in clients { #expect(client.reply().hasPrefix("HTTP/1.1 200 ")) }
            let duration = start.duration(to: .now)
            #expect(duration > .milliseconds(100))
            // Sequential answers would take 40 s.
            #expect(duration < .seconds(10))
        }
    }

    @Test("A port that cannot be bound is reported with what to do")
    func portInUse() throws {
        try serving { simulator, store in
            var settings = AppStoreSimulator.Settings()
            let port = simulator.productionURL.split(separator: ":")[2].prefix { $0 != "/" }
            settings.port = try #require(UInt16(port))
            let error = try #require(
                #expect(throws: SimulatorError.self) {
                    _ = try AppStoreSimulator.start(store, settings)
                })
            #expect(error.reason == .cannotListen(port: settings.port))
            #expect(error.description.contains("Choose another port"))
        }
    }
}

/// Runs the built program, since the descriptor limit applies to a whole process.
@Suite("The simulated server without free file descriptors", .timeLimit(.minutes(10)))
struct DescriptorLimitTests {
    @Test("A connection that cannot be served is closed, and the next one is served when possible")
    func refuses() throws {
        let job = Bundle.main.bundleURL.appendingPathComponent("reconcile-job").path
        let simulator = try ChildProcess(
            "/bin/sh", ["-c", "ulimit -n 40; exec \"$0\" simulate --customers 1", job])
        defer { simulator.end() }
        let line = String(decoding: simulator.output.availableData, as: UTF8.self)
        let url = String(line.split(separator: " ")[0].dropFirst("production=".count))

        var clients: [RawClient] = []
        var (served, refused) = (0, 0)
        for _ in 0..<60 {
            let client = RawClient(url)
            client.post(Array("{}".utf8))
            try #require(!client.isSilent(milliseconds: 20_000))
            if client.reply().hasPrefix("HTTP/1.1 200 ") { served += 1 } else { refused += 1 }
            clients.append(client)
        }
        #expect(served > 10 && refused > 10)
        clients = []
        // The server may still be closing the other connections.
        let isServed = (0..<1_000).contains { _ in
            let client = RawClient(url)
            client.post(Array("{}".utf8))
            return client.reply().hasPrefix("HTTP/1.1 200 ")
        }
        #expect(isServed)
    }
}
