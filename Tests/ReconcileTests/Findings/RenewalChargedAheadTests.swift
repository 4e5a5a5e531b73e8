import Testing

@testable import Reconcile

/// Apple charges up to a day early: the answer has the next period before it begins. The current
/// period ends half a day after the instant of judgement.
@Suite("A renewal charged ahead")
struct RenewalChargedAheadTests {
    /// The current period and the next one of the same chain.
    private static func renewed(
        _ product: String = "pro.monthly", as next: String? = nil, ends: Double = 0.5,
        minutesLater gap: Double = 0, of chain: String = "1", cancelled: Double? = nil,
        with more: AppleLine.Members = [:]
    ) -> [ReceiptEvidence] {
        let bought = ends + gap / 1_440
        return [
            .showing(
                AppleLine.period("1", product, from: ends - 30, to: ends),
                AppleLine.period(
                    "2", of: chain, next ?? product, from: bought, to: bought + 30,
                    cancelled: cancelled, with: more))
        ]
    }

    private static func pro(_ end: Double?, isActive: Bool = true) -> StoredEntitlement {
        .row("e1", isActive: isActive, expires: end)
    }

    private static func max(_ end: Double) -> StoredEntitlement {
        .row("e2", "max.monthly", expires: end)
    }

    static let ends: [AnsweredCase] = [
        AnsweredCase("with its end stored", renewed(), pro(30.5), is: "consistent"),
        AnsweredCase("with the end of today's period", renewed(), pro(0.5), is: "consistent"),
        AnsweredCase(
            "59 minutes after the end", renewed(minutesLater: 59), pro(30.5), is: "consistent"),
        AnsweredCase(
            "59 minutes before the end", renewed(minutesLater: -59), pro(30.4), is: "consistent"),
        AnsweredCase(
            "61 minutes after the end", renewed(minutesLater: 61), pro(30.5),
            is: "expiry_too_late e1"),
        AnsweredCase(
            "61 minutes before the end", renewed(minutesLater: -61), pro(30.4),
            is: "expiry_too_late e1"),
        AnsweredCase(
            "almost a day away", renewed(ends: 0.999), pro(30.999), is: "consistent"),
        AnsweredCase(
            "over a day away", renewed(ends: 1.001), pro(31.001), is: "expiry_too_late e1"),
        AnsweredCase(
            "with an end stored that is later than even its own", renewed(), pro(33),
            is: "expiry_too_late e1"),
        AnsweredCase("and no end stored", renewed(), pro(nil), is: "expiry_missing e1"),
        AnsweredCase(
            "of another chain", renewed(of: "2"), pro(30.5), is: "expiry_too_late e1"),
        AnsweredCase(
            "cancelled at once", renewed(cancelled: -0.1), pro(30.5), is: "expiry_too_late e1"),
        AnsweredCase(
            "cancelled after the instant of judgement", renewed(cancelled: 0.7), pro(30.5),
            is: "consistent"),
        AnsweredCase(
            "replaced by an upgrade", renewed(with: ["is_upgraded": "true"]), pro(30.5),
            is: "expiry_too_late e1"),
    ]

    @Test("The expiry of the renewal is among the ends that a row may have", arguments: ends)
    func end(row: AnsweredCase) { row.check() }

    @Test("The expiry of a second renewal charged ahead counts too")
    func second() {
        let receipt = ReceiptEvidence.showing(
            AppleLine.period("1", from: -9.5, to: 0.2),
            AppleLine.period("2", from: 0.2, to: 0.5),
            AppleLine.period("3", from: 0.5, to: 0.8))
        AnsweredCase("", [receipt], Self.pro(0.8), is: "consistent").check()
        AnsweredCase("", [receipt], Self.pro(0.9), is: "expiry_too_late e1").check()
    }

    static let levels: [AnsweredCase] = [
        AnsweredCase(
            "a downgrade, on the new product",
            renewed("max.monthly", as: "pro.monthly"), pro(30.5), is: "consistent"),
        AnsweredCase(
            "a downgrade, on the old product", renewed("max.monthly", as: "pro.monthly"),
            max(0.5), is: "consistent"),
        AnsweredCase(
            "a downgrade, on a row for each product",
            renewed("max.monthly", as: "pro.monthly"), pro(30.5), max(0.5),
            is: "consistent", "consistent"),
        AnsweredCase(
            "an upgrade, on the new product",
            renewed("pro.monthly", as: "max.monthly"), max(30.5), is: "consistent"),
        AnsweredCase(
            "a change to a product of the same level",
            renewed("pro.yearly", as: "pro.monthly"), pro(30.5), is: "consistent"),
        AnsweredCase(
            "a downgrade, on the new product with an end too late",
            renewed("max.monthly", as: "pro.monthly"), pro(40), is: "expiry_too_late e1"),
        AnsweredCase(
            "a downgrade, on the new product with an end too early",
            renewed("max.monthly", as: "pro.monthly"), pro(0.2), is: "expiry_too_early e1"),
        AnsweredCase(
            "a downgrade, on the new product without an end",
            renewed("max.monthly", as: "pro.monthly"), pro(nil), is: "expiry_missing e1"),
        AnsweredCase(
            "a downgrade, on a third product",
            renewed("max.monthly", as: "pro.monthly"),
            .row("e1", "lite.monthly", expires: 0.5), is: "upgrade_not_applied e1"),
        AnsweredCase(
            "a downgrade over a day away",
            renewed("max.monthly", as: "pro.monthly", ends: 1.5), pro(31.5),
            is: "upgrade_not_applied e1"),
    ]

    @Test("A row of the renewed product gets no finding about the level", arguments: levels)
    func level(row: AnsweredCase) { row.check() }

    static let rights: [AnsweredCase] = [
        AnsweredCase(
            "gives no right yet, but today's period does", renewed(), pro(0.5, isActive: false),
            is: "active_not_granted e1"),
        AnsweredCase(
            "gives no right after a period that has ended", renewed(ends: -0.02, minutesLater: 50),
            pro(30, isActive: false), is: "consistent"),
        AnsweredCase(
            "is no refund when it is cancelled before it begins",
            renewed(cancelled: -0.1), pro(0.5), is: "consistent"),
    ]

    @Test("A renewal charged ahead gives no right yet", arguments: rights)
    func right(row: AnsweredCase) { row.check() }
}
