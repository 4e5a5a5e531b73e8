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

    private static func pro(_ end: Double?, isActive: Bool = true) -> [StoredEntitlement] {
        [.row("e1", isActive: isActive, expires: end)]
    }

    private static func max(_ end: Double) -> [StoredEntitlement] {
        [.row("e2", "max.monthly", expires: end)]
    }

    private static let twoAhead: [ReceiptEvidence] = [
        .showing(
            AppleLine.period("1", from: -9.5, to: 0.2), AppleLine.period("2", from: 0.2, to: 0.5),
            AppleLine.period("3", from: 0.5, to: 0.8))
    ]

    static let ends = cases([
        "consistent": [
            ("with its end stored", renewed(), pro(30.5)),
            ("with the end of today's period", renewed(), pro(0.5)),
            ("59 minutes after the end", renewed(minutesLater: 59), pro(30.5)),
            ("59 minutes before the end", renewed(minutesLater: -59), pro(30.4)),
            ("almost a day away", renewed(ends: 0.999), pro(30.999)),
            ("cancelled after the instant of judgement", renewed(cancelled: 0.7), pro(30.5)),
            ("that is the first of two", twoAhead, pro(0.8)),
        ],
        "expiry_too_late e1": [
            ("61 minutes after the end", renewed(minutesLater: 61), pro(30.5)),
            ("61 minutes before the end", renewed(minutesLater: -61), pro(30.4)),
            ("over a day away", renewed(ends: 1.001), pro(31.001)),
            ("with an end later than even its own", renewed(), pro(33)),
            ("of another chain", renewed(of: "2"), pro(30.5)),
            ("cancelled at once", renewed(cancelled: -0.1), pro(30.5)),
            ("replaced by an upgrade", renewed(with: ["is_upgraded": "true"]), pro(30.5)),
            ("that is the first of two, with a later end", twoAhead, pro(0.9)),
        ],
        "expiry_missing e1": [("and no end stored", renewed(), pro(nil))],
    ])

    @Test("The expiry of each renewal is among the ends that a row may have", arguments: ends)
    func end(row: AnsweredCase) { row.check() }

    private static let downgrade = renewed("max.monthly", as: "pro.monthly")
    private static let upgrade = renewed("pro.monthly", as: "max.monthly")
    private static let sameLevel = renewed("pro.yearly", as: "pro.monthly")
    private static let farDowngrade = renewed("max.monthly", as: "pro.monthly", ends: 1.5)
    private static let lite = [StoredEntitlement.row("e1", "lite.monthly", expires: 0.5)]

    static let levels = cases([
        "consistent": [
            ("a downgrade, on the new product", downgrade, pro(30.5)),
            ("a downgrade, on the old product", downgrade, max(0.5)),
            ("an upgrade, on the new product", upgrade, max(30.5)),
            ("a change to a product of the same level", sameLevel, pro(30.5)),
        ],
        "consistent, consistent": [
            ("a downgrade, on a row for each product", downgrade, pro(30.5) + max(0.5))
        ],
        "expiry_too_late e1": [("a downgrade, with an end too late", downgrade, pro(40))],
        "expiry_too_early e1": [("a downgrade, with an end too early", downgrade, pro(0.2))],
        "expiry_missing e1": [("a downgrade, without an end", downgrade, pro(nil))],
        "upgrade_not_applied e1": [
            ("a downgrade, on a third product", downgrade, lite),
            ("a downgrade over a day away", farDowngrade, pro(31.5)),
        ],
    ])

    @Test("A row of the renewed product gets no finding about the level", arguments: levels)
    func level(row: AnsweredCase) { row.check() }

    private static let afterEnd = renewed(ends: -0.02, minutesLater: 50)

    static let rights = cases([
        "active_not_granted e1": [
            ("gives none yet, but today's period does", renewed(), pro(0.5, isActive: false))
        ],
        "consistent": [
            ("gives none after a period that has ended", afterEnd, pro(30, isActive: false)),
            ("is no refund when cancelled before it begins", renewed(cancelled: -0.1), pro(0.5)),
        ],
    ])

    @Test("A renewal charged ahead gives no right yet", arguments: rights)
    func right(row: AnsweredCase) { row.check() }
}
