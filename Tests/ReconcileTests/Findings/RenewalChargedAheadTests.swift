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

    private static let late = ["expiry_too_late e1"]
    private static let downgrade = renewed("max.monthly", as: "pro.monthly")

    static let ends: [AnsweredCase] = [
        .init("with its end stored", renewed(), pro(30.5), is: "consistent"),
        .init("with the end of today's period", renewed(), pro(0.5), is: "consistent"),
        .init("59 minutes after the end", renewed(minutesLater: 59), pro(30.5), is: "consistent"),
        .init("59 minutes before the end", renewed(minutesLater: -59), pro(30.4), is: "consistent"),
        .init("61 minutes after the end", renewed(minutesLater: 61), [pro(30.5)], expected: late),
        .init("61 minutes before the end", renewed(minutesLater: -61), [pro(30.4)], expected: late),
        .init("almost a day away", renewed(ends: 0.999), pro(30.999), is: "consistent"),
        .init("over a day away", renewed(ends: 1.001), [pro(31.001)], expected: late),
        .init("with an end later than even its own", renewed(), [pro(33)], expected: late),
        .init("and no end stored", renewed(), pro(nil), is: "expiry_missing e1"),
        .init("of another chain", renewed(of: "2"), [pro(30.5)], expected: late),
        .init("cancelled at once", renewed(cancelled: -0.1), [pro(30.5)], expected: late),
        .init(
            "cancelled after the instant of judgement", renewed(cancelled: 0.7), pro(30.5),
            is: "consistent"),
        .init(
            "replaced by an upgrade", renewed(with: ["is_upgraded": "true"]), [pro(30.5)],
            expected: late),
        .init("that is the first of two", twoAhead, pro(0.8), is: "consistent"),
        .init("that is the first of two, with a later end", twoAhead, [pro(0.9)], expected: late),
    ]

    private static let twoAhead: [ReceiptEvidence] = [
        .showing(
            AppleLine.period("1", from: -9.5, to: 0.2), AppleLine.period("2", from: 0.2, to: 0.5),
            AppleLine.period("3", from: 0.5, to: 0.8))
    ]

    @Test("The expiry of each renewal is among the ends that a row may have", arguments: ends)
    func end(row: AnsweredCase) { row.check() }

    static let levels: [AnsweredCase] = [
        .init("a downgrade, on the new product", downgrade, pro(30.5), is: "consistent"),
        .init("a downgrade, on the old product", downgrade, max(0.5), is: "consistent"),
        .init(
            "a downgrade, on a row for each product", downgrade, pro(30.5), max(0.5),
            is: "consistent", "consistent"),
        .init(
            "an upgrade, on the new product", renewed("pro.monthly", as: "max.monthly"), max(30.5),
            is: "consistent"),
        .init(
            "a change to a product of the same level", renewed("pro.yearly", as: "pro.monthly"),
            pro(30.5), is: "consistent"),
        .init("a downgrade, with an end too late", downgrade, [pro(40)], expected: late),
        .init("a downgrade, with an end too early", downgrade, pro(0.2), is: "expiry_too_early e1"),
        .init("a downgrade, without an end", downgrade, pro(nil), is: "expiry_missing e1"),
        .init(
            "a downgrade, on a third product", downgrade, .row("e1", "lite.monthly", expires: 0.5),
            is: "upgrade_not_applied e1"),
        .init(
            "a downgrade over a day away", renewed("max.monthly", as: "pro.monthly", ends: 1.5),
            pro(31.5), is: "upgrade_not_applied e1"),
    ]

    @Test("A row of the renewed product gets no finding about the level", arguments: levels)
    func level(row: AnsweredCase) { row.check() }

    static let rights: [AnsweredCase] = [
        .init(
            "gives no right yet, but today's period does", renewed(), pro(0.5, isActive: false),
            is: "active_not_granted e1"),
        .init(
            "gives no right after a period that has ended", renewed(ends: -0.02, minutesLater: 50),
            pro(30, isActive: false), is: "consistent"),
        .init(
            "is no refund when it is cancelled before it begins", renewed(cancelled: -0.1),
            pro(0.5), is: "consistent"),
    ]

    @Test("A renewal charged ahead gives no right yet", arguments: rights)
    func right(row: AnsweredCase) { row.check() }
}
