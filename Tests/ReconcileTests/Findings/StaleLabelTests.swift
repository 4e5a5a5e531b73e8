import Testing

@testable import Reconcile

/// Apple's answer says that the subscription will not renew.
@Suite("A stored `auto_renew` that Apple contradicts")
struct StaleLabelTests {
    private static let receipt = ReceiptEvidence.answered(
        AppleLine.answer(
            latest: [AppleLine.period(from: -20, to: 10)],
            renewals: [
                #"{"original_transaction_id":"1","product_id":"pro.monthly","#
                    + #""auto_renew_status":"0"}"#
            ]))

    private static func row(_ autoRenew: Bool?, updated: Double) -> StoredEntitlement {
        .row("e1", expires: 10, autoRenew: autoRenew, updated: updated)
    }

    static let rows: [AnsweredCase] = [
        AnsweredCase("days ago", [receipt], row(true, updated: -2), is: "label_stale e1"),
        AnsweredCase(
            "just a day ago", [receipt], row(true, updated: -1), is: "label_stale e1"),
        AnsweredCase(
            "less than a day ago", [receipt], row(true, updated: -0.999), is: "settling"),
        AnsweredCase("now", [receipt], row(true, updated: 0), is: "settling"),
        AnsweredCase(
            "less than a day ago, to what Apple says", [receipt], row(false, updated: -0.5),
            is: "consistent"),
        AnsweredCase(
            "less than a day ago, to nothing", [receipt], row(nil, updated: -0.5),
            is: "consistent"),
    ]

    @Test("The finding settles for a day after the row changed", arguments: rows)
    func settles(row: AnsweredCase) { row.check() }

    @Test("The finding's event_at is the row's last change")
    func cause() throws {
        let world = AnsweredCase("", [Self.receipt], Self.row(true, updated: -2))
        let finding = try #require(world.judgement().findings.first)
        #expect(finding.kind == .labelStale && finding.eventAt == .day(-2))
    }
}
