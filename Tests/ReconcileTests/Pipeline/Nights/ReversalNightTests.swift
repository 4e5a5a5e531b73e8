import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A reversed refund from night to night", .timeLimit(.minutes(5)))
struct ReversalNightTests {
    private static let refunded = AppleAnswer.period("2", from: -10, to: 20, cancelled: -5)
    private static let standing = AppleAnswer.period("2", from: -10, to: 20)

    @Test("It is noticed though the receipt is another user's by then")
    func moved() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.refunded)
            #expect(try await nights.night().rows() == ["refund_recorded ann new"])
            try await nights.test.execute("update team.receipts set who = 'bob'")
            nights.answer("ann", Self.standing)
            let owed = "refund_reversed_not_restored bob"
            #expect(try await nights.night().rows() == ["\(owed) new"])
            #expect(try await nights.night().rows() == ["\(owed) persisting"])
            try await nights.test.store(
                entitlement: "e", of: "bob", expires: "2026-12-10T02:00:00Z")
            let restored = try await nights.night()
            #expect(try await restored.rows() == ["refund_reversed bob new"])
            #expect(try await restored.cleared() == [owed])
            try await nights.customer("cyd", Self.standing)
            let rows = try await nights.historyRows()
            #expect(try await !nights.night().rows().contains { $0.hasPrefix("refund_reversed ") })
            #expect(try await nights.historyRows()[1] == rows[1])
        }
    }

    @Test("A run judged as of an earlier instant takes no refund for reversed")
    func earlier() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.refunded)
            try await nights.customer(
                "bob",
                AppleAnswer.period(
                    "3", from: -10, to: 20, cancelled: -5), isGranted: true)
            _ = try await nights.night()
            let earlier = try await nights.night(day: -7)
            #expect(try await earlier.rows() == ["active_not_granted ann new"])
            let back = try await nights.night(day: 0.5)
            #expect(try await back.rows() == ["refunded_still_granted bob reopened"])
        }
    }

    @Test("A refund beyond the horizon is reported once when the horizon is raised")
    func horizon() async throws {
        try await Nights.with { nights in
            try await nights.customer(
                "ann", AppleAnswer.period("1", from: -150, to: -120),
                AppleAnswer.period("2", from: -150, to: -110, cancelled: -140))
            #expect(try await nights.night().rows() == [])
            let year = Duration.seconds(365 * 86_400)
            #expect(
                try await nights.night(eventHorizon: year).rows()
                    == ["expired ann new", "refund_recorded ann new"])
            #expect(try await nights.night(eventHorizon: year).rows() == [])
            #expect(try await nights.night().rows() == [])
            nights.answer(
                "ann", AppleAnswer.period("1", from: -150, to: -120),
                AppleAnswer.period("2", from: -150, to: -110))
            #expect(try await nights.night().rows() == ["refund_reversed ann new"])
        }
    }
}
