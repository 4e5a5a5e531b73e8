import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A reversed refund over several nightly runs", .timeLimit(.minutes(10)))
struct ReversalNightTests {
    private static let refunded = AppleAnswer.period("2", from: -10, to: 20, cancelled: -5)
    private static let standing = AppleAnswer.period("2", from: -10, to: 20)

    @Test("For another user the purchase is owed as usual, since refunds are kept by user")
    func moved() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.refunded)
            #expect(try await nights.night().rows() == ["refund_recorded ann new"])
            try await nights.test.execute("update team.receipts set who = 'bob'")
            nights.answer("ann", Self.standing)
            #expect(try await nights.night().rows() == ["active_not_granted bob new"])
            try await nights.test.store(
                entitlement: "e", of: "bob", expires: "2026-12-10T02:00:00Z")
            let granted = try await nights.night()
            #expect(try await granted.rows() == [])
            #expect(try await granted.cleared() == ["active_not_granted bob"])
        }
    }

    @Test("A refund that moved to another user is remembered for that user, and can be reversed")
    func movedWhileCancelled() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.refunded)
            #expect(try await nights.night().rows() == ["refund_recorded ann new"])
            try await nights.test.execute("update team.receipts set who = 'bob'")
            #expect(try await nights.night().rows() == [])
            #expect(
                try await nights.ledgerStates() == [
                    "refund_recorded ann event", "refund_recorded bob remembered",
                ])
            nights.answer("ann", Self.standing)
            #expect(try await nights.night().rows() == ["refund_reversed_not_restored bob new"])
        }
    }

    @Test("A run with an earlier as_of takes no refund for reversed")
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

    @Test("A refund beyond the horizon counts as reported, so a longer horizon causes no flood")
    func horizon() async throws {
        try await Nights.with { nights in
            let cancelled = AppleAnswer.period("2", from: -150, to: -110, cancelled: -140)
            try await nights.customer("ann", cancelled)
            #expect(try await nights.night().rows() == [])
            #expect(try await nights.ledgerStates() == ["refund_recorded ann remembered"])
            let year = Duration.seconds(365 * 86_400)
            #expect(try await nights.night(eventHorizon: year).rows() == [])
            nights.answer("ann", AppleAnswer.period("2", from: -150, to: -110))
            // No report has the refund that would be reversed.
            #expect(try await nights.night().rows() == [])
        }
    }
}
