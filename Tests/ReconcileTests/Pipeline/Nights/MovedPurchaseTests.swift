import Testing

@testable import Reconcile
@testable import TestSupport

/// A refund or an end over several runs, when Apple shows it under another transaction id or the
/// receipt moves to another user.
@Suite("A purchase that changes its id or its user", .timeLimit(.minutes(10)))
struct MovedPurchaseTests {
    private static func month(
        _ id: String, cancelled: Double? = nil, order: String? = "77"
    ) -> LoopbackServer.Act {
        let line = AppleLine.period(
            id, of: "1", from: -10, to: 20, cancelled: cancelled, order: order)
        return .reply(AppleLine.answer(latest: [line]))
    }

    private static func unlock(_ id: String, cancelled: Double? = nil) -> LoopbackServer.Act {
        let line = AppleLine.once(id, of: "1", "unlock", bought: -60, cancelled: cancelled)
        return .reply(AppleLine.answer(inApp: [line]))
    }

    private func nights(
        _ first: LoopbackServer.Act, _ second: LoopbackServer.Act
    ) async throws -> [[String]] {
        var rows: [[String]] = []
        try await Nights.with { nights in
            try await nights.customer("ann")
            nights.answer("ann", first)
            rows.append(try await nights.night().rows())
            nights.answer("ann", second)
            rows.append(try await nights.night().rows())
        }
        return rows
    }

    @Test(
        "A refund is reported once when the period gets another transaction id",
        arguments: ["20", "5"])
    func periodMoves(id: String) async throws {
        let rows = try await nights(
            Self.month("10", cancelled: -5), Self.month(id, cancelled: -5))
        #expect(rows == [["refund_recorded ann new"], []])
    }

    @Test("Both refunds are reported when another period is refunded")
    func anotherPeriod() async throws {
        let rows = try await nights(
            Self.month("10", cancelled: -5), Self.month("20", cancelled: -5, order: "78"))
        #expect(rows == [["refund_recorded ann new"], ["refund_recorded ann new"]])
    }

    @Test("A refund is reported once when a lifetime purchase is restored under another id")
    func lifetimeMoves() async throws {
        let rows = try await nights(
            Self.unlock("10", cancelled: -5), Self.unlock("20", cancelled: -5))
        #expect(rows == [["refund_recorded ann new"], []])
    }

    @Test(
        "A purchase is owed when its refund is reversed under another id", arguments: [true, false])
    func takenBack(isPeriod: Bool) async throws {
        let rows =
            isPeriod
            ? try await nights(Self.month("10", cancelled: -5), Self.month("20"))
            : try await nights(Self.unlock("10", cancelled: -5), Self.unlock("20"))
        #expect(
            rows == [["refund_recorded ann new"], ["refund_reversed_not_restored ann new"]])
    }

    @Test("An expiry is reported once a user when the receipt moves to another user")
    func endMoves() async throws {
        try await Nights.with { nights in
            let ended = AppleAnswer.period("1", from: -40, to: -10)
            try await nights.customer("ann", ended)
            #expect(try await nights.night().rows() == ["expired ann new"])
            #expect(try await nights.night().rows() == [])
            try await nights.test.execute("update team.receipts set who = 'bob'")
            #expect(try await nights.night().rows() == ["expired bob new"])
            #expect(try await nights.night().rows() == [])
            try await nights.test.execute("update team.receipts set who = 'ann'")
            #expect(try await nights.night().rows() == [])
        }
    }

    @Test("An expiry is reported to each of two users, with or without a granted row")
    func endOfTwo() async throws {
        try await Nights.with { nights in
            let ended = AppleAnswer.period("1", from: -40, to: -10)
            try await nights.customer("ann", ended, isGranted: true)
            try await nights.customer("bob", ended, isGranted: false)
            let rows = try await nights.night().rows().filter { $0.hasPrefix("expired") }
            #expect(rows == ["expired bob new", "expired_still_granted ann new"])
        }
    }
}
