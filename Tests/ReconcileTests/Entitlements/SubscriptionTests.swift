import Testing

@testable import Reconcile

@Suite("A subscription")
struct SubscriptionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let transactions: [Transaction]
        var renewal: Renewal?
        let state: Grantor.State?
        var end: Double?
        var covering: TransactionID?
        var gone: Double?
    }

    static let rows: [Row] = [
        Row(
            testDescription: "is active until its expiry",
            transactions: [.monthly("1", bought: -40), .monthly("2", bought: -10)],
            state: .active, end: 20, covering: "2"),
        Row(
            testDescription: "is expired at the very instant of its expiry",
            transactions: [.monthly("1", bought: -30)], state: .expired, end: 0, covering: "1",
            gone: 0),
        Row(
            testDescription: "ends at the greatest expiry, whatever the order",
            transactions: [.monthly("2", bought: -5), .monthly("1", bought: -20)],
            state: .active, end: 25, covering: "2"),
        Row(
            testDescription: "is active by an older period when the newest was refunded",
            transactions: [
                .monthly("1", bought: -20, days: 31), .monthly("2", bought: -5, cancelled: -2),
            ],
            state: .active, end: 11, covering: "1"),
        Row(
            testDescription: "is revoked when the period that would run was refunded",
            transactions: [.monthly("1", bought: -40), .monthly("2", bought: -10, cancelled: -4)],
            state: .revoked, end: -4, covering: "2"),
        Row(
            testDescription: "is revoked by a refund within a period that is over",
            transactions: [.monthly("1", bought: -60, cancelled: -50)], state: .revoked, end: -50,
            covering: "1"),
        Row(
            testDescription: "is only expired when refunded after its expiry, and gone from then",
            transactions: [.monthly("1", bought: -60, cancelled: -20)], state: .expired, end: -30,
            covering: "1", gone: -20),
        Row(
            testDescription: "is family-revoked when it was shared",
            transactions: [.monthly("1", bought: -10, cancelled: -4, isFamilyShared: true)],
            state: .familyRevoked, end: -4, covering: "1"),
        Row(
            testDescription: "is in grace while the grace period lasts",
            transactions: [.monthly("1", bought: -32)],
            renewal: Renewal(
                originalID: "1", isInBillingRetry: true, gracePeriodExpiresAt: .day(4)),
            state: .grace, end: 4, covering: "1"),
        Row(
            testDescription: "is in billing retry when the grace period is over, gone since then",
            transactions: [.monthly("1", bought: -40)],
            renewal: Renewal(
                originalID: "1", isInBillingRetry: true, gracePeriodExpiresAt: .day(-4)),
            state: .billingRetry, end: -10, covering: "1", gone: -4),
        Row(
            testDescription: "is in billing retry without a grace period",
            transactions: [.monthly("1", bought: -40)],
            renewal: Renewal(originalID: "1", isInBillingRetry: true), state: .billingRetry,
            end: -10, covering: "1", gone: -10),
        Row(
            testDescription: "has no grace for a period that was refunded",
            transactions: [.monthly("1", bought: -32, cancelled: -5)],
            renewal: Renewal(originalID: "1", gracePeriodExpiresAt: .day(4)), state: .revoked,
            end: -5, covering: "1"),
        Row(
            testDescription: "is active although it will not renew",
            transactions: [.monthly("1", bought: -10)],
            renewal: Renewal(originalID: "1", willRenew: false), state: .active, end: 20,
            covering: "1"),
        Row(
            testDescription: "leaves out an upgraded period, even with a later expiry",
            transactions: [
                .monthly("1", bought: -20, days: 365, isUpgraded: true),
                .monthly("2", bought: -10),
            ],
            state: .active, end: 20, covering: "2"),
        Row(
            testDescription: "gives nothing when all of it was upgraded",
            transactions: [.monthly("1", bought: -10, isUpgraded: true)], state: nil),
        Row(
            testDescription: "prefers the uncancelled of two periods alike",
            transactions: [
                .monthly("2", bought: -40, cancelled: -39), .monthly("1", bought: -40),
            ],
            state: .expired, end: -10, covering: "1", gone: -10),
        Row(
            testDescription: "gives nothing by a transaction without expiry",
            transactions: [.once("1", "pro.monthly", bought: -10)], state: nil),
    ]

    @Test(
        "Its transactions and its renewal decide its state, end and covering transaction",
        arguments: rows)
    func stands(row: Row) {
        let subscription = Subscription(
            transactions: Purchase.shown(row.transactions),
            renewal: row.renewal)
        let standing = subscription.standing(asOf: .asOf)
        #expect(standing?.state == row.state)
        #expect(standing?.endsAt == row.end.map(Instant.day))
        #expect(standing?.covering.id == row.covering)
        if row.state == .expired || row.state == .billingRetry {
            #expect(standing?.goneAt == row.gone.map(Instant.day))
        }
    }
}
