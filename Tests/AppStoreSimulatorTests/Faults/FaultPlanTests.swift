import Testing

@testable import AppStoreSimulator

@Suite("A plan of faults")
struct FaultPlanTests {
    private func strikes(
        _ plan: String, attempt: Int = 1, milliseconds: Int = 0, customer: Int = 16,
        _ environment: SimulatedEnvironment = .production
    ) throws -> Bool {
        let occasion = FaultRule.Occasion(
            environment: environment, receipt: UInt64(customer),
            mark: ReceiptMark(seed: 1, customer: customer, account: 0, number: 1),
            attempt: attempt, milliseconds: milliseconds)
        let steps = try FaultPlan(parsing: plan).steps(
            for: occasion, reply: HTTPReply([]), seed: 1)
        return steps != nil
    }

    @Test("A fault strikes first attempts, a server, a time span or a receipt, as its rule says")
    func conditions() throws {
        #expect(try strikes("503:first=2", attempt: 2))
        #expect(try strikes("503:first=2", attempt: 3) == false)
        #expect(try strikes("503:sandbox", .sandbox))
        #expect(try strikes("503:sandbox") == false)
        #expect(try strikes("503:1s-3s", milliseconds: 1_000))
        #expect(try strikes("503:1s-3s", milliseconds: 3_000) == false)
        #expect(try strikes("503:receipt=receipt-0000017-1"))
        #expect(try strikes("503:receipt=receipt-0000017-2") == false)
        #expect(try strikes("503:receipt=receipt-0000018-1") == false)
        #expect(try strikes("503:first=1:sandbox,html:1s-2s") == false)
        #expect(try strikes("503:first=1:sandbox,html:1s-2s", milliseconds: 1_500))
        #expect(try strikes("0") == false)
    }

    @Test(
        "A fault strikes at its rate, and strikes the same requests in every run",
        arguments: [("0.05", 500), ("30%", 3_000)])
    func rate(plan: String, expected: Int) throws {
        let struck = try (0..<10_000).filter { try strikes(plan, customer: $0) }
        #expect(abs(struck.count - expected) < expected / 5)
        #expect(try struck == (0..<10_000).filter { try strikes(plan, customer: $0) })
    }

    @Test("A plan that is only a rate holds transient faults alone, and no rejection")
    func drawn() throws {
        let rule = try #require(try FaultPlan(parsing: "5%").rules.first)
        #expect(rule.faults.allSatisfy(\.isDrawn) && rule.faults.count > 30)
        #expect(!rule.faults.contains { ["21003", "21010", "hang", "huge"].contains($0.name) })
    }

    @Test("A status is named by its five digits")
    func statuses() throws {
        try serving(faults: "21150:100%") { simulator, _ in
            let client = RawClient(simulator.productionURL)
            client.post(Array("{}".utf8))
            #expect(client.reply().hasSuffix(#"{"status":21150}"#))
        }
    }

    @Test(
        "A plan that cannot be read is refused with what is allowed",
        arguments: [
            ("503:0s-9300000000000000s", "10s-70s"),
            ("", "is neither a rate"), ("101%", "is neither a rate"),
            ("frog", "The faults are: 21000,"),
            ("503:", "\"\" is not a condition"), ("503:first=0", "first=N"),
            ("503:3s-1s", "10s-70s"), ("503:receipt=7", "receipt=ID"), ("503,", "\"\" is neither"),
        ])
    func isRefused(plan: String, reason: String) throws {
        let error = try #require(
            #expect(throws: FaultPlan.Unreadable.self) { _ = try FaultPlan(parsing: plan) })
        #expect(error.reason.contains(reason))
    }

    @Test("A fault by attempt also strikes receipts that the simulator did not issue")
    func attemptsOfStrangers() throws {
        try serving(faults: "503:first=1") { simulator, _ in
            let client = RawClient(simulator.productionURL)
            for receipt in ["AAAA", "BBBB", "not even base64"] {
                let body = Array(#"{"receipt-data":"\#(receipt)"}"#.utf8)
                client.post(body)
                #expect(client.reply().hasPrefix("HTTP/1.1 503 "), "\(receipt)")
                client.post(body)
                #expect(client.reply().hasPrefix("HTTP/1.1 200 "), "\(receipt)")
            }
        }
    }

    @Test("A fault by rate strikes the same share of receipts from elsewhere each time")
    func rateOfStrangers() throws {
        func struck() throws -> [Bool] {
            try serving(faults: "503:50%") { simulator, _ in
                let client = RawClient(simulator.productionURL)
                return (0..<40).map { number in
                    client.post(Array(#"{"receipt-data":"stranger \#(number)"}"#.utf8))
                    return client.reply().hasPrefix("HTTP/1.1 503 ")
                }
            }
        }
        let first = try struck()
        #expect((5...35).contains(first.count { $0 }))
        #expect(try struck() == first)
    }
}
