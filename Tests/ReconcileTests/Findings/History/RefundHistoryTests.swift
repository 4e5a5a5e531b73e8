import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a scene and change its label, receipts, rows, history and complete outcome.
@Suite("A refund in the user's history")
struct RefundHistoryTests {
    @Test("A refund beyond the horizon is not reported, and remembered")
    func horizon() {
        let old = Judge.acme.judgement([.answer(.pro(bought: -100, until: 20, cancelled: -91))])
        #expect(old.kinds.map(\.rawValue) == [])
        #expect(old.remembered.map(\.kind.rawValue) == ["refund_recorded"])
        #expect(old.remembered.map(\.eventAt) == [.day(-91)])
    }

    @Test(
        "A refund and its reversal are reported once",
        arguments: [
            Scene(
                "a refund that was reported", receipts: [.answer(.pro(bought: -10, cancelled: -4))],
                history: [.refund(cancelled: -4)]),
            Scene(
                "a withdrawn share that was reported",
                receipts: [.answer(.pro(bought: -10, cancelled: -4, ownership: .familyShared))],
                history: [.refund(cancelled: -4, kind: .familyRevocationRecorded)]),
            Scene(
                "a subscription bought in the last day, and a row that is not active",
                receipts: [.answer(.pro(bought: -0.5))], rows: [.pro(isActive: false)],
                history: [.refund(cancelled: -40)], verdicts: [.settling],
                withoutRow: [.refundReversed]),
            Scene(
                "a cancellation after the judgement, and an active row",
                receipts: [.answer(.pro(bought: -10, cancelled: 2))], rows: [.pro(until: 20)],
                history: [.refund(cancelled: 2)], verdicts: [.consistent]),
            Scene(
                "a cancellation after the judgement, without a row",
                receipts: [.answer(.pro(bought: -10, cancelled: 2))],
                history: [.refund(cancelled: 2)], withoutRow: [.activeNotGranted]),
            Scene(
                "a refund after its reversal, which was reported",
                receipts: [.answer(.pro(bought: -10, cancelled: -1))],
                history: [.refund(cancelled: -40), .refund(cancelled: -40, kind: .refundReversed)]),
            Scene(
                "a refund beyond the horizon that is remembered",
                receipts: [.answer(.pro(bought: -100, until: 20, cancelled: -91))],
                history: [.refund(cancelled: -91, state: .remembered)]),
            Scene(
                "a remembered refund that is reversed, and an active row",
                receipts: [.answer(.pro(bought: -100, until: 20))], rows: [.pro(until: 20)],
                history: [.refund(cancelled: -91, state: .remembered)], verdicts: [.consistent]),
            Scene(
                "a consumable's refund that is reversed, by its line item",
                receipts: [.answer(.coins(bought: -8, id: "3", lineItem: "77"))],
                history: [.refund("77", cancelled: -5)], withoutRow: [.refundReversed]),
            Scene(
                "a consumable's refund, whose line item has another purchase",
                receipts: [
                    .answer(
                        .coins(bought: -8, id: "3", lineItem: "77"),
                        .coins(bought: -9, id: "2", cancelled: -5, lineItem: "77"))
                ], history: [.refund("77", cancelled: -5)]),
        ])
    func isReportedOnce(scene: Scene) {
        #expect(scene.check().remembered.map(\.kind.rawValue) == [])
    }

    @Test(
        "A reversal precedes other owed rights, from the purchase on",
        arguments: [
            Scene(
                "a subscription that is no longer refunded", receipts: [.answer(.pro(bought: -10))],
                history: [.refund(cancelled: -40)], withoutRow: [.refundReversedNotRestored]),
            Scene(
                "a product that is no longer refunded", receipts: [.answer(.unlock(bought: -10))],
                history: [.refund(cancelled: -40)], withoutRow: [.refundReversedNotRestored]),
            Scene(
                "a subscription in grace that is no longer refunded",
                receipts: [.answer(.pro(bought: -33), .renewal(.grace(until: 5)))],
                history: [.refund(cancelled: -40)], withoutRow: [.refundReversedNotRestored]),
            Scene(
                "a pass that is no longer refunded", receipts: [.answer(.pass(bought: -10))],
                history: [.refund(cancelled: -40)], withoutRow: [.refundReversedNotRestored]),
            Scene(
                "a subscription bought a day ago, and a row that is not active",
                receipts: [.answer(.pro(bought: -1))], rows: [.pro(isActive: false)],
                history: [.refund(cancelled: -40)], verdicts: [.found(.refundReversedNotRestored)]),
            Scene(
                "a remembered refund that is reversed, and a row that is not active",
                receipts: [.answer(.pro(bought: -100, until: 20))], rows: [.pro(isActive: false)],
                history: [.refund(cancelled: -91, state: .remembered)],
                verdicts: [.found(.refundReversedNotRestored)]),
        ])
    func isRestored(scene: Scene) throws {
        let judgement = scene.check()
        #expect(judgement.remembered.map(\.kind.rawValue) == [])
        let finding = try judgement.only(.refundReversedNotRestored)
        let answer = try #require(UserEvidence(scene.receipts).receipts.first?.verified?.receipt)
        #expect(finding.eventAt == answer.transactions.first?.purchasedAt)
        #expect(finding.kind.file == .refunds)
        #expect(finding.weight == .highOwed)
        #expect(finding.proposedAction == .restore)
    }
}
