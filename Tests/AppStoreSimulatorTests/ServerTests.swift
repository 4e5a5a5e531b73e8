import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

@Suite("The simulated server", .hangLimit)
struct HTTPServerTests {
    static let malformed = #"{"status":21002,"exception":"java.lang.IllegalArgumentException"}"#
    private static let head = "POST /verifyReceipt HTTP/1.1\r\n"
    private static let two = "Content-Length: 2\r\n\r\n{}"

    @Test("The server answers like Apple's: reason phrase, cookies, no content type, keep-alive")
    func answers() async throws {
        try await serving { simulator, client in
            for _ in 0..<3 {
                let reply = client.reply(to: #"{"receipt-data":"AAAA"}"#)
                #expect(reply.hasPrefix("HTTP/1.1 200 Apple WebObjects\r\n"))
                #expect(reply.hasSuffix("\r\n\r\n" + Self.malformed))
                #expect(reply.contains("\r\nSet-Cookie: itspod="))
                #expect(!reply.lowercased().contains("content-type"))
            }
            // Without a script no request is kept.
            #expect(simulator.requests == 3)
            #expect(simulator.keptRequests.isEmpty)
            // A port that cannot be bound is reported with what to do.
            var settings = AppStoreSimulator.Settings()
            settings.port = client.port
            let error = #expect(throws: SimulatorError.self) {
                _ = try AppStoreSimulator.start(.demo(), settings)
            }
            #expect(error?.reason == .cannotListen(port: settings.port))
            #expect(error?.description.contains("Choose another port") == true)
        }
    }

    @Test("Pipelined requests are answered in order; one may be in pieces, expect 100, or be HEAD")
    func pipelining() async throws {
        try await serving { _, client in
            let length = "Content-Length: 2\r\n\r\n"
            let request = Self.head + length
            client.send(request + "{}" + request + "noGET /else HTTP/1.1\r\n\r\n")
            #expect(client.reply().hasSuffix(Self.malformed))
            #expect(client.reply().hasSuffix(#"{"status":21000}"#))
            #expect(client.reply().hasPrefix("HTTP/1.1 404 "))
            for character in request + "{}" { client.send(String(character)) }
            #expect(client.reply().hasSuffix(Self.malformed))
            client.send(Self.head + "Expect: 100-continue\r\n" + length)
            #expect(client.head() == "HTTP/1.1 100 Continue\r\n\r\n")
            client.send("{}")
            #expect(client.reply().hasPrefix("HTTP/1.1 200 "))
            client.send("HEAD /verifyReceipt HTTP/1.1\r\n\r\n")
            #expect(client.head().hasSuffix("Content-Length: 16\r\n\r\n"))
            #expect(client.reply(to: "{}").hasSuffix(Self.malformed))
        }
    }

    /// What a client sends, and the status of the reply. To add a case, copy one.
    private static let refused: [(request: String, status: Int)] = [
        ("nonsense\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (head + "Content-Length: -1\r\n\r\n", 400),
        (head + "Content-Length: +2\r\n\r\n{}", 400),
        (head + "Content-Length: \r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
        (head + "\r\n", 411),
        (head + "Transfer-Encoding: chunked\r\n\r\n", 411),
        (head + "Content-Length: 99999999\r\n\r\n", 413),
        // The target is too long.
        ("POST /" + String(repeating: "a", count: 20_000), 413),
    ]

    @Test("A request that RFC 9112 does not allow is refused and disconnected", arguments: refused)
    func disconnects(request: String, status: Int) async throws {
        try await serving { _, client in
            client.send(request)
            #expect(client.reply().hasPrefix("HTTP/1.1 \(status) "))
            #expect(client.reply(to: "{}").isEmpty)
        }
    }

    @Test(
        "A request is answered as RFC 9112 says, and the connection kept or closed",
        arguments: [
            (request: head + "Connection: close\r\n" + two, isKept: false),
            (head + "Connection: TE, Close\r\n" + two, false),
            ("POST /verifyReceipt HTTP/1.0\r\n" + two, false),
            (head + "Content-Length: 2 \t\r\n\r\n{}", true),
            ("\r\n\r\n" + head + "Content-Length:2\r\n\r\n{}", true),
        ])
    func speaks(request: String, isKept: Bool) async throws {
        try await serving { _, client in
            client.send(request)
            let reply = client.reply()
            #expect(reply.hasPrefix("HTTP/1.1 200 "))
            #expect(reply.hasSuffix(Self.malformed))
            let next = client.reply(to: "{}")
            #expect(next.isEmpty != isKept)
            #expect(!isKept || next.hasSuffix(Self.malformed))
        }
    }

    @Test("A long answer is compressed for a client that accepts gzip")
    func packs() async throws {
        try await serving { _, client in
            let store = SimulatedStore.demo()
            let body = try store.body(living: .collector)
            let answer = Verifier(store: store).answer(to: Array(body.utf8), at: .production).body
            let packed = Gzip.stored(answer)
            client.post(body, headers: ["Accept-Encoding: deflate, GZIP ;q=1"])
            #expect(client.head().contains("\r\nContent-Encoding: gzip\r\n"))
            #expect(client.receive(packed.count).elementsEqual(packed))
            #expect(packed.starts(with: [0x1F, 0x8B, 8]))
            client.post("{}", headers: ["Accept-Encoding: gzip"])
            #expect(client.reply().hasSuffix(Self.malformed))
        }
    }

    @Test("Slow answers block no thread, and reach clients that have closed their sending side")
    func waits() async throws {
        try await serving(latency: .seconds(2)) { simulator, _ in
            let start = ContinuousClock.now
            let clients = (0..<200).map { _ in RawClient(simulator.productionURL) }
            for client in clients { client.post("{}") }
            for client in clients.prefix(50) { client.sayNoMore() }
            for client in clients { #expect(client.reply().hasSuffix(Self.malformed)) }
            for client in clients.prefix(50) { #expect(client.receive(1).isEmpty) }
            // Sequential answers would take 400 s.
            #expect((.seconds(1) ... .seconds(200)).contains(start.duration(to: .now)))
        }
    }

    /// Runs the built program, since the limit applies to a whole process.
    @Test("Without a free descriptor a connection is closed, and the next is served when possible")
    func refuses() throws {
        let job = Bundle.main.bundleURL.appendingPathComponent("reconcile-job").path
        let simulator = try ChildProcess(
            "/usr/bin/prlimit", ["--nofile=40", job, "simulate", "--customers", "1"])
        defer { simulator.end() }
        let line = String(decoding: simulator.output.availableData, as: UTF8.self)
        let url = String(line.split(separator: " ")[0].dropFirst("production=".count))
        let clients = try (0..<60).map { _ in
            let client = RawClient(url)
            client.post("{}")
            try #require(!client.isSilent(milliseconds: 20_000))
            return client
        }
        let served = clients.filter { $0.reply().hasPrefix("HTTP/1.1 200 ") }
        #expect((11...49).contains(served.count))
        for client in served {
            client.sayNoMore()
            #expect(client.receive(1).isEmpty, "the server has closed it, too")
        }
        #expect(RawClient(url).reply(to: "{}").hasPrefix("HTTP/1.1 200 "))
    }

    @Test("A script answers some requests, even slowly, and lists all; the simulation the others")
    func answersLater() async throws {
        let body = #"{"exclude-old-transactions":true}"#
        let pending = PendingReply()
        let script: @Sendable (SimulatedRequest) -> [ReplyStep]? = {
            $0.environment == .production && $0.attempt == 1 ? [.later(pending)] : nil
        }
        try await serving(script: script) { simulator, first in
            first.post(body)
            await simulator.arrival(of: 1, at: .production)
            for url in [simulator.productionURL, simulator.sandboxURL] {
                #expect(RawClient(url).reply(to: body).hasPrefix("HTTP/1.1 200 "))
            }
            pending.decide([.send(HTTPReply([], status: 418, reason: "Late").bytes), .close])
            #expect(first.reply().hasPrefix("HTTP/1.1 418 Late"))
            await simulator.departure(of: 1, from: .production)
            let requests = simulator.keptRequests
            #expect(requests.map(\.attempt) == [1, 2, 1])
            #expect(requests.map(\.environment) == [.production, .production, .sandbox])
            #expect(requests.map(\.excludesOldTransactions) == [true, true, true])
        }
    }
}
