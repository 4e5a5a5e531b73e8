import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

@Suite("The simulated server", .timeLimit(.minutes(10)))
struct HTTPServerTests {
    static let malformed = #"{"status":21002,"exception":"java.lang.IllegalArgumentException"}"#
    private static let head = #"POST /verifyReceipt HTTP/1.1\r\n"#
    private static let two = #"Content-Length: 2\r\n\r\n{}"#

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
            let request = "POST /verifyReceipt HTTP/1.1\r\nContent-Length: 2\r\n\r\n"
            client.send(request + "{}" + request + "noGET /else HTTP/1.1\r\n\r\n")
            #expect(client.reply().hasSuffix(Self.malformed))
            #expect(client.reply().hasSuffix(#"{"status":21000}"#))
            #expect(client.reply().hasPrefix("HTTP/1.1 404 "))
            for character in request + "{}" { client.send(String(character)) }
            #expect(client.reply().hasSuffix(Self.malformed))
            client.send(request.replacing("1.1", with: "1.1\r\nExpect: 100-continue"))
            #expect(client.head() == "HTTP/1.1 100 Continue\r\n\r\n")
            client.send("{}")
            #expect(client.reply().hasPrefix("HTTP/1.1 200 "))
            client.send("HEAD /verifyReceipt HTTP/1.1\r\n\r\n")
            #expect(client.head().hasSuffix("Content-Length: 16\r\n\r\n"))
            #expect(client.reply(to: "{}").hasSuffix(Self.malformed))
        }
    }

    /// What a client sends, the status of the reply (413 also for a long target), and what becomes
    /// of the connection.
    @Test(
        "A request is answered as RFC 9112 says, or refused and disconnected",
        arguments: #"""
            nonsense\r\n\r\n | 400 | closed
            POST / HTTP/1.1\r\nno colon\r\n\r\n | 400 | closed
            \#(head)Content-Length: -1\r\n\r\n | 400 | closed
            \#(head)Content-Length: +2\r\n\r\n{} | 400 | closed
            \#(head)Content-Length: \r\n\r\n | 400 | closed
            POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} | 400 | closed
            \#(head)\r\n | 411 | closed
            \#(head)Transfer-Encoding: chunked\r\n\r\n | 411 | closed
            \#(head)Content-Length: 99999999\r\n\r\n | 413 | closed
            POST /\#(String(repeating: "a", count: 20_000)) | 413 | closed
            \#(head)Connection: close\r\n\#(two) | 200 | closed
            \#(head)Connection: TE, Close\r\n\#(two) | 200 | closed
            POST /verifyReceipt HTTP/1.0\r\n\#(two) | 200 | closed
            \#(head)Content-Length: 2 \t\r\n\r\n{} | 200 | open
            \r\n\r\n\#(head)Content-Length:2\r\n\r\n{} | 200 | open
            """#.triples)
    func speaks(request: String, status: String, connection: String) async throws {
        try await serving { _, client in
            client.send(request.replacing(#"\r\n"#, with: "\r\n").replacing(#"\t"#, with: "\t"))
            let reply = client.reply()
            #expect(reply.hasPrefix("HTTP/1.1 \(status) "))
            #expect(status != "200" || reply.hasSuffix(Self.malformed))
            let next = client.reply(to: "{}")
            #expect(connection == "closed" ? next.isEmpty : next.hasSuffix(Self.malformed))
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
        try await serving(latency: .milliseconds(200)) { simulator, _ in
            let start = ContinuousClock.now
            let clients = (0..<200).map { _ in RawClient(simulator.productionURL) }
            for client in clients { client.post("{}") }
            for client in clients.prefix(50) { client.sayNoMore() }
            for client in clients { #expect(client.reply().hasSuffix(Self.malformed)) }
            for client in clients.prefix(50) { #expect(client.receive(1).isEmpty) }
            // Sequential answers would take 40 s.
            #expect((.milliseconds(100) ... .seconds(10)).contains(start.duration(to: .now)))
        }
    }

    /// Runs the built program, since the limit applies to a whole process.
    @Test("Without a free descriptor a connection is closed, and the next is served when possible")
    func refuses() throws {
        let job = Bundle.main.bundleURL.appendingPathComponent("reconcile-job").path
        let simulator = try ChildProcess(
            "/bin/sh", ["-c", "ulimit -n 40; exec \"$0\" simulate --customers 1", job])
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

@Suite("A plan of faults")
struct FaultPlanTests {
    /// Customers count from 0, receipts from 1: customer 16 has receipt-0000017-1.
    private func strikes(
        _ plan: String, attempt: Int = 1, milliseconds: Int = 0, customer: Int = 16,
        _ environment: SimulatedEnvironment = .production
    ) throws -> Bool {
        let occasion = FaultRule.Occasion(
            environment: environment, receipt: UInt64(customer),
            mark: ReceiptMark(seed: 1, customer: customer, account: 0, number: 1),
            attempt: attempt, milliseconds: milliseconds)
        return try FaultPlan(parsing: plan).steps(for: occasion, reply: .init([]), seed: 1) != nil
    }

    @Test(
        "A fault strikes first attempts, a server, a time span or a receipt, as its rule says",
        arguments: [
            ("503:sandbox", 1, 0, false), ("503:receipt=receipt-0000017-2", 1, 0, false),
            ("503:receipt=receipt-0000018-1", 1, 0, false), ("0", 1, 0, false),
            ("503:first=1:sandbox,html:1s-2s", 1, 0, false), ("503:first=2", 2, 0, true),
            ("503:first=2", 3, 0, false), ("503:1s-3s", 1, 1_000, true),
            ("503:1s-3s", 1, 3_000, false), ("503:receipt=receipt-0000017-1", 1, 0, true),
            ("503:first=1:sandbox,html:1s-2s", 1, 1_500, true),
        ])
    func conditions(plan: String, attempt: Int, milliseconds: Int, isStruck: Bool) throws {
        #expect(try strikes(plan, attempt: attempt, milliseconds: milliseconds) == isStruck)
        #expect(try strikes("503:sandbox", .sandbox))
    }

    @Test(
        "A fault strikes at its rate, and strikes the same requests in every run",
        arguments: [("0.05", 500), ("30%", 3_000)])
    func rate(plan: String, expected: Int) throws {
        let struck = try (0..<10_000).filter { try strikes(plan, customer: $0) }
        #expect(abs(struck.count - expected) < expected / 5)
        #expect(try struck == (0..<10_000).filter { try strikes(plan, customer: $0) })
    }

    @Test("A plan that is only a rate holds transient faults alone; each has a name of its own")
    func drawn() throws {
        let rule = try #require(try FaultPlan(parsing: "5%").rules.first)
        #expect(rule.faults.allSatisfy { $0.isDrawn })
        #expect(rule.faults.count > 30)
        #expect(!rule.faults.contains { ["21003", "21010", "hang", "huge"].contains($0.name) })
        #expect(Set(FaultPlan.faultNames).count == SimulatedFault.all.count)
    }

    @Test(
        "A plan that cannot be read is refused with what is allowed",
        arguments: """
            503:0s-9300000000000000s | 10s-70s
             | is neither a rate
            101% | is neither a rate
            frog | The faults are: 21000,
            503: | "" is not a condition
            503:first=0 | first=N
            503:3s-1s | 10s-70s
            503:receipt=7 | receipt=ID
            503, | "" is neither
            """.pairs)
    func isRefused(plan: String, reason: String) throws {
        let error = #expect(throws: FaultPlan.Unreadable.self) { _ = try FaultPlan(parsing: plan) }
        #expect(error?.reason.contains(reason) == true)
    }

    @Test("A fault also strikes receipts that the simulator did not issue, by attempt and by rate")
    func strangers() async throws {
        func statuses(_ faults: String, _ receipts: [String]) async throws -> [Substring] {
            try await serving(faults: faults) { _, client in
                receipts.map { client.reply(to: #"{"receipt-data":"\#($0)"}"#).prefix(12) }
            }
        }
        let odd = ["AAAA", "BBBB", "not even base64"]
        let twice = try await statuses("503:first=1", odd + odd)
        #expect(twice.map { $0.suffix(3) } == ["503", "503", "503", "200", "200", "200"])
        let strangers = (0..<40).map { "stranger \($0)" }
        let first = try await statuses("503:50%", strangers)
        #expect((5...35).contains(first.count { $0.hasSuffix("503") }))
        #expect(try await statuses("503:50%", strangers) == first)
    }

    @Test(
        "The bytes of a fault begin and end as they should, and name its server",
        arguments: #"""
            503 | HTTP/1.1 503 Service Unavailable\r\n | \r\n\r\nService Unavailable
            429 | HTTP/1.1 429 Too Many Requests\r\n | \r\nRetry-After: 1\r\n\#
            Content-Length: 9\r\n\r\nslow down
            html | HTTP/1.1 200 OK\r\n | </body></html>
            empty | HTTP/1.1 200 OK\r\n | Content-Length: 0\r\n\r\n
            cut | HTTP/1.1 200 Apple | Content-Length: 65\r\n\r\n{"status":21002,"exception":"jav
            array | HTTP/1.1 200 OK\r\n | \r\n\r\n[1,2,3]
            21005 | HTTP/1.1 200 Apple | {"status":21005,"environment":"Production"}
            21009 | HTTP/1.1 200 Apple | inappcache.MZInAppCacheAccessException"}
            21104 | HTTP/1.1 200 Apple | }
            21150 | HTTP/1.1 200 Apple | {"status":21150}
            21199 | HTTP/1.1 200 Apple | {"status":21199,"is-retryable":"true"}
            """#.triples)
    func isOnTheWire(name: String, head: String, end: String) async throws {
        try await serving(faults: "\(name):100%") { simulator, client in
            let reply = client.reply(to: "{}").replacing("\r\n", with: #"\r\n"#)
            #expect(reply.hasPrefix(head), "\(reply)")
            #expect(reply.hasSuffix(end), "\(reply)")
            guard ["21005", "21009", "21104"].contains(name) else { return }
            #expect(reply.contains(#""environment":"Production""#))
            let sandbox = RawClient(simulator.sandboxURL).reply(to: "{}")
            #expect(sandbox.contains(#""environment":"Sandbox""#))
        }
    }

    @Test("A fault can reset the connection, close it, or send nothing")
    func ends() async throws {
        for name in ["reset", "hang-up", "cut"] {
            try await serving(faults: "\(name):100%") { _, client in
                client.post("{}")
                #expect(client.endsInReset() == (name == "reset"))
            }
        }
        try await serving(faults: "hang:production") { simulator, client in
            client.post("{}")
            // A later request, of the other server, is answered.
            #expect(RawClient(simulator.sandboxURL).reply(to: "{}").hasPrefix("HTTP/1.1 200 "))
            #expect(client.isSilent(milliseconds: 0))
        }
    }
}
