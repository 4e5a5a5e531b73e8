import Testing

@testable import AppStoreSimulator
@testable import TestSupport

/// To add a case: a row with the plan as `simulate --faults` reads it, and which request it
/// strikes, or why it is refused. The bytes of a new fault get a row with their head and end.
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
            (plan: "503:sandbox", attempt: 1, milliseconds: 0, isStruck: false),
            ("503:receipt=receipt-0000017-2", 1, 0, false),
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
        arguments: [(plan: "0.05", expected: 500), ("30%", 3_000)])
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
        let all = SimulatedFault.all + SimulatedFault.ofServerAPI
        #expect(Set(FaultPlan.faultNames).count == all.count)
    }

    @Test(
        "A plan that cannot be read is refused with what is allowed",
        arguments: [
            (plan: "503:0s-9300000000000000s", reason: "10s-70s"),
            ("", "is neither a rate"),
            ("101%", "is neither a rate"),
            ("frog", "The faults are: 21000,"),
            ("503:", "\"\" is not a condition"),
            ("503:first=0", "first=N"),
            ("503:3s-1s", "10s-70s"),
            ("503:receipt=7", "receipt=ID"),
            ("503,", "\"\" is neither"),
        ])
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
        arguments: [
            (
                fault: "503", head: "HTTP/1.1 503 Service Unavailable\r\n",
                end: "\r\n\r\nService Unavailable"
            ),
            (
                "429", "HTTP/1.1 429 Too Many Requests\r\n",
                "\r\nRetry-After: 1\r\nContent-Length: 9\r\n\r\nslow down"
            ),
            ("html", "HTTP/1.1 200 OK\r\n", "</body></html>"),
            ("empty", "HTTP/1.1 200 OK\r\n", "Content-Length: 0\r\n\r\n"),
            (
                "cut", "HTTP/1.1 200 Apple",
                "Content-Length: 65\r\n\r\n" + #"{"status":21002,"exception":"jav"#
            ),
            ("array", "HTTP/1.1 200 OK\r\n", "\r\n\r\n[1,2,3]"),
            ("21005", "HTTP/1.1 200 Apple", #"{"status":21005,"environment":"Production"}"#),
            ("21009", "HTTP/1.1 200 Apple", #"inappcache.MZInAppCacheAccessException"}"#),
            ("21104", "HTTP/1.1 200 Apple", "}"),
            ("21150", "HTTP/1.1 200 Apple", #"{"status":21150}"#),
            ("21199", "HTTP/1.1 200 Apple", #"{"status":21199,"is-retryable":"true"}"#),
        ])
    func isOnTheWire(fault name: String, head: String, end: String) async throws {
        try await serving(faults: "\(name):100%") { simulator, client in
            let reply = client.reply(to: "{}")
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
