import Testing

@testable import AppStoreSimulator

@Suite("A script of the simulated App Store", .timeLimit(.minutes(10)))
struct ScriptTests {
    private let body = Array(
        (#"{"receipt-data":"AAAA","password":"\#(SimulatedApp.tempo.secret)","#
            + #""exclude-old-transactions":true}"#).utf8)

    private func serving<Result>(
        _ script: (@Sendable (SimulatedRequest) -> [ReplyStep]?)?,
        _ body: (AppStoreSimulator) async throws -> Result
    ) async throws -> Result {
        var settings = AppStoreSimulator.Settings()
        settings.script = script
        settings.keepsRequests = true
        let simulator = try AppStoreSimulator.start(.demo(customers: 10), settings)
        defer { simulator.stop() }
        return try await body(simulator)
    }

    @Test("A script decides the answer by receipt, server and attempt; else the simulation answers")
    func decides() async throws {
        let script: @Sendable (SimulatedRequest) -> [ReplyStep]? = { request in
            guard request.environment == .production, request.attempt == 2 else { return nil }
            return [.send(HTTPReply(Array(request.receipt.utf8)).bytes)]
        }
        try await serving(script) { simulator in
            let (production, sandbox) = (
                RawClient(simulator.productionURL), RawClient(simulator.sandboxURL)
            )
            for (client, end) in [
                (production, "Exception\"}"), (sandbox, "Exception\"}"), (production, "\r\nAAAA"),
                (sandbox, "Exception\"}"), (production, "Exception\"}"),
            ] {
                client.post(body)
                #expect(client.reply().hasSuffix(end))
            }
        }
    }

    @Test(
        "A script may answer slowly while the server serves others, and it lists what it received")
    func waits() async throws {
        let pending = PendingReply()
        let script: @Sendable (SimulatedRequest) -> [ReplyStep]? = { request in
            request.attempt == 1 ? [.later(pending)] : nil
        }
        try await serving(script) { simulator in
            let (first, second) = (
                RawClient(simulator.productionURL), RawClient(simulator.productionURL)
            )
            first.post(body)
            await simulator.arrival(of: 1, at: .production)
            second.post(body)
            #expect(second.reply().hasPrefix("HTTP/1.1 200 "))
            #expect(first.isSilent(milliseconds: 20))
            pending.decide([.send(HTTPReply([], status: 418, reason: "Late").bytes), .close])
            #expect(first.reply().hasPrefix("HTTP/1.1 418 Late"))
            await simulator.departure(of: 1, from: .production)
            #expect(simulator.keptRequests.map(\.attempt) == [1, 2])
            let request = try #require(simulator.keptRequests.first)
            #expect(
                request.body == body && request.receipt == "AAAA"
                    && request.password == SimulatedApp.tempo.secret)
            #expect(request.excludesOldTransactions && request.environment == .production)
            #expect(request.keys == ["receipt-data", "password", "exclude-old-transactions"])
        }
    }

    @Test("Without a script the simulator answers by itself and keeps no requests")
    func isOptional() async throws {
        let simulator = try AppStoreSimulator.start(.demo(customers: 10))
        defer { simulator.stop() }
        let client = RawClient(simulator.sandboxURL)
        client.post(body)
        #expect(client.reply().hasPrefix("HTTP/1.1 200 "))
        #expect(simulator.requests == 1 && simulator.keptRequests.isEmpty)
    }
}
