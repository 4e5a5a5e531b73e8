import Testing

@testable import Reconcile

/// Apple shows some periods under two transaction ids: an old one in `in_app`, a new one in
/// `latest_receipt_info`, both with one `web_order_line_item_id`.
@Suite("A period under two transaction ids")
struct PeriodUnderTwoIDsTests {
    private static func year(
        _ id: String, cancelled: Double? = nil, order: String? = "77",
        with more: AppleLine.Members = [:]
    ) -> String {
        AppleLine.period(
            id, "pro.yearly", from: -100, to: 265, cancelled: cancelled, order: order, with: more)
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

    private static let granted = StoredEntitlement.row("e1", "pro.yearly", expires: 265)
    private static let taken = StoredEntitlement.row(
        "e1", "pro.yearly", isActive: false, expires: 265)

    static let oneAnswer: [AnsweredCase] = [
        AnsweredCase("is active", shown(year("10"), year("20")), granted, is: "consistent"),
        AnsweredCase(
            "is refunded, and the service knows",
            shown(year("10"), year("20", cancelled: -5)), taken,
            is: "consistent", "refund_recorded"),
        AnsweredCase(
            "is refunded, and the service does not know",
            shown(year("10"), year("20", cancelled: -5)), granted,
            is: "refunded_still_granted e1", "refund_recorded"),
        AnsweredCase(
            "is refunded under the smaller id, which is the new one",
            shown(year("20"), year("10", cancelled: -5)), taken,
            is: "consistent", "refund_recorded"),
        AnsweredCase(
            "is refunded under both ids, which is one refund",
            shown(year("10", cancelled: -5), year("20", cancelled: -5)), taken,
            is: "consistent", "refund_recorded"),
        AnsweredCase(
            "is cancelled in `in_app` only, which is no refund",
            shown(year("10", cancelled: -5), year("20")), granted, is: "consistent"),
        AnsweredCase(
            "is refunded in the one of two new lines with the greater number",
            [.showing(year("9"), year("10", cancelled: -5))], granted,
            is: "refunded_still_granted e1", "refund_recorded"),
        AnsweredCase(
            "is not refunded in the one of two new lines with the greater number",
            [.showing(year("9", cancelled: -5), year("10"))], granted, is: "consistent"),
    ]

    @Test("The new transaction counts, and the old one is ignored", arguments: oneAnswer)
    func once(row: AnsweredCase) { row.check() }

    static let upgrades: [AnsweredCase] = [false, true].flatMap { isCancelledTwice in
        let receipts = shown(
            year("10", cancelled: isCancelledTwice ? -5 : nil),
            year("20", cancelled: -5, with: ["is_upgraded": "true"]),
            AppleLine.period("30", "max.monthly", from: -5, to: 25, order: "78"))
        let old = isCancelledTwice ? "cancelled" : "uncancelled"
        return [
            AnsweredCase(
                "\(old) in `in_app`, and the row has the new product", receipts,
                .row("e1", "max.monthly", expires: 25), is: "consistent"),
            AnsweredCase(
                "\(old) in `in_app`, and the row kept the old product", receipts, granted,
                is: "upgrade_not_applied e1"),
        ]
    }

    @Test("An upgraded period is neither active nor refunded", arguments: upgrades)
    func upgraded(row: AnsweredCase) { row.check() }

    static let twoAnswers: [AnsweredCase] = [
        AnsweredCase(
            "not refunded", shown(year("10", cancelled: -50), then: year("20")), granted,
            is: "consistent"),
        AnsweredCase(
            "not refunded, under the smaller id",
            shown(year("20", cancelled: -50), then: year("10")), granted, is: "consistent"),
        AnsweredCase(
            "refunded", shown(year("10"), then: year("20", cancelled: -5)), granted,
            is: "refunded_still_granted e1", "refund_recorded"),
        AnsweredCase(
            "refunded, under the smaller id", shown(year("20"), then: year("10", cancelled: -5)),
            taken, is: "consistent", "refund_recorded"),
    ]

    @Test("The newest of several answers decides", arguments: twoAnswers)
    func newest(row: AnsweredCase) { row.check() }

    static let two: [AnsweredCase] = [
        AnsweredCase(
            "without an order line", shown(year("10", order: nil), year("20", cancelled: -5)),
            taken, is: "active_not_granted e1", "refund_recorded"),
        AnsweredCase(
            "with an empty order line",
            shown(year("10", order: ""), year("20", cancelled: -5, order: "")), taken,
            is: "active_not_granted e1", "refund_recorded"),
        AnsweredCase(
            "with order lines of their own",
            shown(year("10", order: "76"), year("20", cancelled: -5)), granted,
            is: "consistent", "refund_recorded"),
        AnsweredCase(
            "of two products",
            shown(
                year("10"),
                AppleLine.period(
                    "20", "max.monthly", from: -10, to: 20, cancelled: -5, order: "77")),
            granted, is: "consistent", "refund_recorded"),
        AnsweredCase(
            "of two chains",
            shown(
                year("10"),
                AppleLine.period(
                    "20", of: "2", "pro.yearly", from: -100, to: 265, cancelled: -5, order: "77")),
            granted, is: "consistent", "refund_recorded"),
    ]

    @Test("Two transactions that share no line item are two periods", arguments: two)
    func different(row: AnsweredCase) { row.check() }
}
