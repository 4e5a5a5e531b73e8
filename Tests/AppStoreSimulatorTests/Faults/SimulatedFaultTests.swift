import Testing

@testable import AppStoreSimulator

@Suite("A simulated fault")
struct SimulatedFaultTests {
    private static let reply = HTTPReply(Array(#"{"status":0}"#.utf8))

    @Test(
        "Each fault sends exactly the bytes that it describes",
        arguments: [
            ("503", "HTTP/1.1 503 Service Unavailable\r\n", "\r\n\r\nService Unavailable"),
            ("429", "HTTP/1.1 429 Too Many Requests\r\n", "\r\n\r\nslow down"),
            ("html", "HTTP/1.1 200 OK\r\n", "</body></html>"),
            ("empty", "HTTP/1.1 200 OK\r\n", "Content-Length: 0\r\n\r\n"),
            ("array", "HTTP/1.1 200 OK\r\n", "\r\n\r\n[1,2,3]"),
            ("21005", "HTTP/1.1 200 Apple", #"{"status":21005,"environment":"Production"}"#),
            ("21009", "HTTP/1.1 200 Apple", #"inappcache.MZInAppCacheAccessException"}"#),
            ("21199", "HTTP/1.1 200 Apple", #"{"status":21199,"is-retryable":"true"}"#),
        ])
    func isOnTheWire(name: String, head: String, end: String) throws {
        try serving(faults: "\(name):100%") { simulator, _ in
            let client = RawClient(simulator.productionURL)
            client.post(Array("{}".utf8))
            let reply = client.reply()
            #expect(reply.hasPrefix(head) && reply.hasSuffix(end), "\(reply)")
            if name == "429" { #expect(reply.contains("\r\nRetry-After: 1\r\n")) }
        }
    }

    @Test("A cut body ends at half of its announced length")
    func cuts() throws {
        let steps = try #require(SimulatedFault.named("cut")).steps(
            PlannedReply(Self.reply, from: .production))
        #expect(steps == [.send(Self.reply.head + Array(#"{"stat"#.utf8)), .close])
        try serving(faults: "cut:100%") { simulator, _ in
            let client = RawClient(simulator.productionURL)
            client.post(Array("{}".utf8))
            let text = String(decoding: client.receive(1 << 16), as: UTF8.self)
            let body = text.split(separator: "\r\n\r\n").last ?? ""
            #expect(text.contains("Content-Length: 65\r\n") && body.utf8.count == 32)
        }
    }

    @Test(
        "A fault can reset the connection, close it, or send nothing",
        arguments: [("reset", true), ("hang-up", false)])
    func ends(name: String, isReset: Bool) throws {
        try serving(faults: "\(name):100%") { simulator, _ in
            let client = RawClient(simulator.productionURL)
            client.post(Array("{}".utf8))
            #expect(client.endsInReset() == isReset)
        }
        try serving(faults: "hang:100%") { simulator, _ in
            let client = RawClient(simulator.productionURL)
            client.post(Array("{}".utf8))
            #expect(client.isSilent(milliseconds: 50))
        }
    }

    @Test("A trickled reply is complete in the end")
    func trickles() throws {
        try serving(faults: "trickle:100%") { simulator, store in
            let customer = try #require(store.customer(living: .collector))
            let client = RawClient(simulator.productionURL)
            client.post(store.body(for: customer))
            let answer = Verifier(store: store).answer(
                to: store.body(for: customer), at: .production)
            #expect(client.reply().utf8.suffix(answer.body.count).elementsEqual(answer.body))
        }
    }

    @Test(
        "A fault's answer names the server that received the request",
        arguments: ["21005", "21009", "21104"])
    func speaksForItsServer(name: String) throws {
        try serving(faults: "\(name):100%") { simulator, _ in
            for (url, environment) in [
                (simulator.productionURL, "Production"), (simulator.sandboxURL, "Sandbox"),
            ] {
                let client = RawClient(url)
                client.post(Array("{}".utf8))
                #expect(client.reply().contains(#""environment":"\#(environment)""#))
            }
        }
    }

    @Test("Each fault has a name of its own")
    func names() {
        #expect(Set(FaultPlan.faultNames).count == SimulatedFault.all.count)
    }
}
