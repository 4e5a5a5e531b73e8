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

    private static func refunded(
        _ id: String, of chain: String = "1", order: String? = "77"
    ) -> String { year(id, of: chain, cancelled: -5, order: order) }

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
    private static let known = ["consistent", "refund_recorded"]
    private static let leaked = ["refunded_still_granted e1", "refund_recorded"]

    static let once: [AnsweredCase] = [
        .init("is active", shown(year("10"), year("20")), granted, is: "consistent"),
        .init(
            "is refunded, and the service knows", shown(year("10"), refunded("20")), [taken],
            expected: known),
        .init(
            "is refunded, and the service does not know", shown(year("10"), refunded("20")),
            [granted], expected: leaked),
        .init(
            "is refunded under the smaller id, which is the new one",
            shown(year("20"), refunded("10")), [taken], expected: known),
        .init(
            "is refunded under both ids, which is one refund",
            shown(refunded("10"), refunded("20")), [taken], expected: known),
        .init(
            "is cancelled in `in_app` only, which is no refund",
            shown(refunded("10"), year("20")), granted, is: "consistent"),
        .init(
            "is refunded in the one of two new lines with the greater number",
            [.showing(year("9"), refunded("10"))], [granted], expected: leaked),
        .init(
            "is not refunded in the one of two new lines with the greater number",
            [.showing(refunded("9"), year("10"))], granted, is: "consistent"),
        .init(
            "is not refunded in the newer of two answers",
            shown(year("10", cancelled: -50), then: year("20")), granted, is: "consistent"),
        .init(
            "is not refunded in the newer of two answers, under the smaller id",
            shown(year("20", cancelled: -50), then: year("10")), granted, is: "consistent"),
        .init(
            "is refunded in the newer of two answers", shown(year("10"), then: refunded("20")),
            [granted], expected: leaked),
        .init(
            "is refunded in the newer of two answers, under the smaller id",
            shown(year("20"), then: refunded("10")), [taken], expected: known),
    ]

    @Test(
        "The new transaction of the newest answer counts, and the old one does not", arguments: once
    )
    func counts(row: AnsweredCase) { row.check() }

    static let upgrades: [AnsweredCase] = [nil, -5].flatMap { cancelled -> [AnsweredCase] in
        let receipts = shown(
            year("10", cancelled: cancelled),
            year("20", cancelled: -5, with: ["is_upgraded": "true"]),
            AppleLine.period("30", "max.monthly", from: -5, to: 25, order: "78"))
        let old = cancelled == nil ? "uncancelled" : "cancelled"
        return [
            .init(
                "\(old) in `in_app`, and the row has the new product", receipts,
                .row("e1", "max.monthly", expires: 25), is: "consistent"),
            .init(
                "\(old) in `in_app`, and the row kept the old product", receipts, granted,
                is: "upgrade_not_applied e1"),
        ]
    }

    @Test("An upgraded period is neither active nor refunded", arguments: upgrades)
    func upgraded(row: AnsweredCase) { row.check() }

    static let two: [AnsweredCase] = [
        .init(
            "without an order line",
            shown(year("10", order: nil), year("20", cancelled: -5)), taken,
            is: "active_not_granted e1", "refund_recorded"),
        .init(
            "with an empty order line", shown(year("10", order: ""), refunded("20", order: "")),
            taken, is: "active_not_granted e1", "refund_recorded"),
        .init(
            "with order lines of their own", shown(year("10", order: "76"), refunded("20")),
            [granted], expected: known),
        .init(
            "of two products",
            shown(
                year("10"),
                AppleLine.period(
                    "20", "max.monthly", from: -10, to: 20, cancelled: -5, order: "77")),
            [granted], expected: known),
        .init(
            "of two chains", shown(year("10"), refunded("20", of: "2")), [granted],
            expected: known),
    ]

    @Test("Two transactions that share no line item are two periods", arguments: two)
    func different(row: AnsweredCase) { row.check() }
}
