import Testing

@testable import Reconcile
@testable import TestSupport

/// Pruning keeps what an open finding or a retraction needs.
@Suite("The state that pruning keeps", .timeLimit(.minutes(10)))
struct PrunedNeedTests {
    private static let ended = AppleAnswer.period("1", from: -40, to: -10)
    private static let running = AppleAnswer.period("1", from: -10, to: 20)
    private static let leak = "expired_still_granted"
    private static let shared = "shared_original_transaction"

    /// Prunes every run before the one with this number.
    private static func prune(before night: Int, _ nights: Nights) async throws -> Pruned {
        let instant = Instant.asOf + .seconds((night - 1) * 3_600)
        return try await nights.database.pruning.prune(before: instant)
    }

    @Test("A shared purchase stays open though the run that showed it last was pruned")
    func sharedStaysOpen() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.running, isGranted: true)
            try await nights.customer("bob", Self.running)
            #expect(try await nights.night().rows().contains("\(Self.shared) ann new"))
            nights.silence("bob")
            #expect(try await nights.night().cleared() == [])
            #expect(try await Self.prune(before: 2, nights).runs == 1)
            #expect(try await !nights.night().cleared().contains("\(Self.shared) ann"))
        }
    }

    @Test("A run cannot be retracted once the run before it was pruned")
    func retractedAfterPruning() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            _ = try await nights.night()
            let second = try await nights.night()
            #expect(try await Self.prune(before: 2, nights).runs == 1)
            let error = await #expect(throws: DatabaseError.self) {
                _ = try await nights.database.history.retract(
                    runBeginningWith: second.summary.run.id.text, by: "eve", why: "a test")
            }
            #expect(error?.description.contains("was pruned") == true)
            try await nights.set("ann", isGranted: false)
            #expect(try await nights.night().cleared() == ["\(Self.leak) ann"])
        }
    }

    @Test("A run can be retracted if nothing under it was pruned, and the next clears as before")
    func retractedUnpruned() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            _ = try await nights.night()
            let second = try await nights.night()
            _ = try await nights.database.history.retract(
                runBeginningWith: second.summary.run.id.text, by: "eve", why: "a test")
            try await nights.set("ann", isGranted: false)
            #expect(try await nights.night().cleared() == ["\(Self.leak) ann"])
        }
    }

    @Test("A pruned run cannot be retracted, since its changes are gone")
    func retractPruned() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            _ = try await nights.night()
            try await nights.set("ann", isGranted: false)
            let second = try await nights.night()
            _ = try await nights.night()
            #expect(try await Self.prune(before: 3, nights).runs == 2)
            let ledger = try await nights.ledgerRows()
            await #expect(throws: DatabaseError.self) {
                _ = try await nights.database.history.retract(
                    runBeginningWith: second.summary.run.id.text, by: "eve", why: "a test")
            }
            #expect(try await nights.ledgerRows() == ledger)
        }
    }
}
