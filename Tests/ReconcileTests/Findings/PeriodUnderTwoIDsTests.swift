import Testing

@testable import Reconcile

/// Apple shows some periods under two transaction ids: an old one in `in_app`, a new one in
/// `latest_receipt_info`, both with one `web_order_line_item_id`.
@Suite("A period under two transaction ids")
struct PeriodUnderTwoIDsTests {
    private static func year(
        _ id: String, of chain: String = "1", cancelled: Double? = nil, order: String? = "77",
        with more: AppleLine.Members = [:]
    ) -> String {
        AppleLine.period(
            id, of: chain, "pro.yearly", from: -100, to: 265, cancelled: cancelled, order: order,
            with: more)
    }

    private static func lost(_ id: String, of chain: String = "1", order: String? = "77") -> String
    {
        year(id, of: chain, cancelled: -5, order: order)
    }

    /// Both transactions in one answer.
    private static func shown(_ old: String, _ new: String, _ more: String...) -> [ReceiptEvidence]
    {
        [.answered(AppleLine.answer(inApp: [old], latest: [new] + more))]
    }

    /// The two transactions in two answers, the older one first.
    private static func shown(_ old: String, then new: String) -> [ReceiptEvidence] {
        [
            .answered("r1", AppleLine.answer(latest: [old], created: -40)),
            .answered("r2", AppleLine.answer(latest: [new], created: -3)),
        ]
    }

    private static let granted = [StoredEntitlement.row("e1", "pro.yearly", expires: 265)]
    private static let taken = [
        StoredEntitlement.row("e1", "pro.yearly", isActive: false, expires: 265)
    ]
    private static let ten = year("10")
    private static let twenty = year("20")
    private static let lostTen = lost("10")
    private static let lostTwenty = lost("20")

    static let once = cases([
        "consistent": [
            ("active", shown(ten, twenty), granted),
            ("cancelled in `in_app` only, which is no refund", shown(lostTen, twenty), granted),
            ("refunded in the smaller of two new lines", [.showing(lost("9"), ten)], granted),
            (
                "refunded in an older answer only", shown(year("10", cancelled: -50), then: twenty),
                granted
            ),
            (
                "refunded in an older answer only, as 20",
                shown(year("20", cancelled: -50), then: ten), granted
            ),
        ],
        "consistent, refund_recorded": [
            ("refunded, and the service knows", shown(ten, lostTwenty), taken),
            ("refunded under the smaller id, the new one", shown(twenty, lostTen), taken),
            ("refunded under both ids, which is one refund", shown(lostTen, lostTwenty), taken),
            ("refunded in the newer answer, as 10", shown(twenty, then: lostTen), taken),
        ],
        "refund_recorded, refunded_still_granted e1": [
            ("refunded, and the service does not know", shown(ten, lostTwenty), granted),
            ("refunded in the greater of two new lines", [.showing(year("9"), lostTen)], granted),
            ("refunded in the newer answer", shown(ten, then: lostTwenty), granted),
        ],
    ])

    @Test(
        "The new transaction of the newest answer counts, and the old one does not", arguments: once
    )
    func counts(row: AnsweredCase) { row.check() }

    /// - Parameter old: the period in `in_app`, of which `latest_receipt_info` says that it was
    ///   upgraded.
    private static func replaced(_ old: String) -> [ReceiptEvidence] {
        shown(
            old, year("20", cancelled: -5, with: ["is_upgraded": "true"]),
            AppleLine.period("30", "max.monthly", from: -5, to: 25, order: "78"))
    }

    private static let new = [StoredEntitlement.row("e1", "max.monthly", expires: 25)]

    static let upgrades = cases([
        "consistent": [
            ("and the row has the new product", replaced(ten), new),
            ("cancelled in `in_app`, and the row has the new product", replaced(lostTen), new),
        ],
        "upgrade_not_applied e1": [
            ("and the row kept the old product", replaced(ten), granted),
            ("cancelled in `in_app`, and the row kept the old one", replaced(lostTen), granted),
        ],
    ])

    @Test("An upgraded period is neither active nor refunded", arguments: upgrades)
    func upgraded(row: AnsweredCase) { row.check() }

    private static let otherProduct = AppleLine.period(
        "20", "max.monthly", from: -10, to: 20, cancelled: -5, order: "77")

    static let two = cases([
        "active_not_granted e1, refund_recorded": [
            ("without an order line", shown(year("10", order: nil), lostTwenty), taken),
            ("with an empty one", shown(year("10", order: ""), lost("20", order: "")), taken),
        ],
        "consistent, refund_recorded": [
            ("with order lines of their own", shown(year("10", order: "76"), lostTwenty), granted),
            ("of two products", shown(ten, otherProduct), granted),
            ("of two chains", shown(ten, lost("20", of: "2")), granted),
        ],
    ])

    @Test("Two transactions that share no line item are two periods", arguments: two)
    func different(row: AnsweredCase) { row.check() }
}
