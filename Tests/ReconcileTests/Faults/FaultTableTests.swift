import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport

/// Runs the validator against the simulated App Store with one fault at a time.
@Suite("A fault on Apple's side", .timeLimit(.minutes(10)))
struct FaultTableTests {
    private static let store = SimulatedStore(
        seed: 1, customers: 1_000, firstNight: Moment(milliseconds: Instant.asOf.milliseconds))

    private static let receipt = (0..<store.customers).lazy.map(store.customer)
        .first { $0.card == Card(story: .yearlySubscriber, flaw: .none) }
        .map { store.receipts(of: $0.number..<$0.number + 1)[0] }

    @Test("A permanent fault leads to its outcome, and accuses no user", arguments: FaultCase.all)
    func lasts(expected: FaultCase) async throws {
        let (look, asked) = try await ask(
            through: expected.fault + ":100%", timeout: expected.isSilent ? 1 : 50)
        #expect(look.words == expected.outcome)
        #expect(asked == expected.asked)
        #expect(look.requests.sent == expected.asked.count)
        #expect(look.attempts.count == expected.asked.count)
        #expect((look.attempts.detail == nil) == (expected.outcome == "verified"))
    }

    @Test(
        "A transient fault leaves no trace in the outcome",
        arguments: FaultCase.all.filter(\.isRetried))
    func passes(fault: FaultCase) async throws {
        let (look, asked) = try await ask(
            through: fault.fault + ":first=1", timeout: fault.isSilent ? 5 : 50)
        #expect(look.words == "verified")
        #expect(asked == "PP")
        #expect(look.requests.retries == 1)
    }

    @Test("Each fault that the simulator knows is in the table")
    func isComplete() {
        #expect(Set(FaultPlan.faultNames).subtracting(FaultCase.all.map(\.fault)) == [])
    }

    private func ask(
        through faults: String, timeout seconds: Int
    ) async throws -> (Look, asked: String) {
        var settings = AppStoreSimulator.Settings()
        settings.faults = try FaultPlan(parsing: faults)
        settings.keepsRequests = true
        let simulator = try AppStoreSimulator.start(Self.store, settings)
        defer { simulator.stop() }
        let receipt = try #require(Self.receipt)
        let secrets = SimulatedApp.all.map { "\($0.bundle) = \($0.secret)" }
        let validator = try AppStoreValidator.quick(
            production: simulator.productionURL, sandbox: simulator.sandboxURL,
            secrets: secrets.joined(separator: "\n")
        ) { $0.timeout = .seconds(seconds) }
        let look = try await validator.look(
            at: receipt.data, storedFor: BundleID(receipt.bundle))
        let asked = simulator.keptRequests.map { $0.environment == .production ? "P" : "S" }
        return (look, asked.joined())
    }
}
