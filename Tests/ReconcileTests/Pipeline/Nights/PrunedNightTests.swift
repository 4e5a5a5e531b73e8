import Testing

@testable import Reconcile
@testable import TestSupport

/// Pruning keeps what a later run, or a remaining report, needs.
@Suite("Pruning between nightly runs", .timeLimit(.minutes(10)))
struct PrunedNightTests {
    private static let ended = AppleAnswer.period("1", from: -40, to: -10)
    private static let leak = "expired_still_granted"

    private static func prune(before night: Int, _ nights: Nights) async throws -> Pruned {
        let instant = Instant.asOf + .seconds((night - 1) * 3_600)
        return try await nights.database.pruning.prune(before: instant)
    }

    @Test("The last report of a cleared finding stays until the run that cleared it is pruned")
    func cleared() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            _ = try await nights.night()
            try await nights.set("ann", isGranted: false)
            let clearing = try await nights.night()
            _ = try await nights.night()
            #expect(try await Self.prune(before: 2, nights).runs == 1)
            #expect(try await clearing.cleared() == ["\(Self.leak) ann"])
            #expect(try await Self.prune(before: 3, nights).runs == 1)
            #expect(try await clearing.cleared() == [])
            #expect(try await nights.test.texts("select kind from reconcile.finding") == [])
            try await nights.set("ann", isGranted: true)
            #expect(try await nights.night().rows() == ["\(Self.leak) ann reopened"])
        }
    }

    @Test("The last report of a finding that an outage keeps open stays, and can be cleared")
    func held() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            _ = try await nights.night()
            nights.silence("ann")
            _ = try await nights.night()
            _ = try await nights.night()
            #expect(try await Self.prune(before: 3, nights).runs == 2)
            try await nights.set("ann", isGranted: false)
            #expect(try await nights.night().cleared() == ["\(Self.leak) ann"])
        }
    }

    @Test("The last report of a finding stays when the run that cleared it is retracted and pruned")
    func retractedClearing() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            _ = try await nights.night()
            nights.silence("ann")
            _ = try await nights.night()
            #expect(try await Self.prune(before: 2, nights).runs == 1)
            try await nights.set("ann", isGranted: false)
            let clearing = try await nights.night()
            #expect(try await clearing.cleared() == ["\(Self.leak) ann"])
            _ = try await nights.database.history.retract(
                runBeginningWith: clearing.summary.run.id.text, by: "eve", why: "wrong rows")
            let again = try await nights.night()
            // Of the earlier runs only the retracted one and those that were published are left.
            _ = try await Self.prune(before: 4, nights)
            #expect(try await again.cleared() == ["\(Self.leak) ann"])
            #expect(again.summary.facts.cleared == 1)
        }
    }

    @Test("The report that a retraction returns to stays")
    func retractedReport() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            _ = try await nights.night()
            nights.silence("ann")
            _ = try await nights.night()
            nights.answer("ann", Self.ended)
            let third = try await nights.night()
            #expect(try await third.rows() == ["\(Self.leak) ann persisting"])
            #expect(try await Self.prune(before: 2, nights).runs == 1)
            _ = try await nights.database.history.retract(
                runBeginningWith: third.summary.run.id.text, by: "eve", why: "wrong rows")
            try await nights.set("ann", isGranted: false)
            #expect(try await nights.night().cleared() == ["\(Self.leak) ann"])
        }
    }

    @Test("An event is not reported again when the run that reported it was pruned")
    func events() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended)
            #expect(try await nights.night().rows() == ["expired ann new"])
            _ = try await nights.night()
            #expect(try await Self.prune(before: 2, nights).findings == 1)
            #expect(try await nights.night().rows() == [])
        }
    }
}
