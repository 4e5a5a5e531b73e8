import Testing

@testable import Reconcile

/// Restoring a non-consumable gives it a new transaction id: lines with one original id are one
/// purchase.
@Suite("A one-time purchase")
struct OneTimePurchaseTests {
    private static func line(
        _ id: String, of chain: String = "5", bought: Double = -300, cancelled: Double? = nil,
        with more: AppleLine.Members = [:]
    ) -> String {
        AppleLine.once(id, of: chain, "unlock", bought: bought, cancelled: cancelled, with: more)
    }

    private static func shown(_ lines: String..., id: ReceiptID = "r1", created: Double = -3)
        -> ReceiptEvidence
    { .answered(id, AppleLine.answer(inApp: lines, created: created)) }

    private static let granted = StoredEntitlement.row("e1", "unlock", chain: "5")
    private static let taken = StoredEntitlement.row("e1", "unlock", isActive: false)

    static let restored: [AnsweredCase] = [
        AnsweredCase(
            "and not refunded is owned", [shown(line("5"), line("6", bought: -100))], granted,
            is: "consistent"),
        AnsweredCase(
            "and refunded under both ids is one refund",
            [shown(line("5", cancelled: -9), line("6", bought: -100, cancelled: -9))], taken,
            is: "consistent", "refund_recorded"),
        AnsweredCase(
            "and refunded under the first id is not owned",
            [shown(line("5", cancelled: -9), line("6", bought: -100))], granted,
            is: "refund_recorded", "refunded_still_granted e1"),
        AnsweredCase(
            "and refunded under the second id is not owned",
            [shown(line("5"), line("6", bought: -100, cancelled: -9))], taken,
            is: "consistent", "refund_recorded"),
        AnsweredCase(
            "and refunded in the newer answer is not owned",
            [
                shown(line("6", bought: -100), id: "r1", created: -80),
                shown(line("5", cancelled: -9), id: "r2"),
            ], granted, is: "refund_recorded", "refunded_still_granted e1"),
        AnsweredCase(
            "and refunded in the older answer only is owned",
            [
                shown(line("5", cancelled: -85), id: "r1", created: -80),
                shown(line("6", bought: -60), id: "r2"),
            ], granted, is: "consistent"),
        AnsweredCase(
            "after it is refunded in an answer that a newer one does not speak of",
            [shown(line("5", cancelled: -85), id: "r1", created: -80), shown(id: "r2")], granted,
            is: "refund_recorded", "refunded_still_granted e1"),
        AnsweredCase(
            "and bought anew after the refund is owned: two purchases",
            [shown(line("5", cancelled: -50), line("8", of: "8", bought: -20))], granted,
            is: "consistent", "refund_recorded"),
        AnsweredCase(
            "and refunded twice are two purchases",
            [
                shown(
                    line("5", cancelled: -50),
                    line("8", of: "8", bought: -40, cancelled: -20))
            ], taken, is: "consistent", "refund_recorded", "refund_recorded"),
    ]

    @Test("Restores of a lifetime purchase count as one purchase", arguments: restored)
    func isOnePurchase(row: AnsweredCase) { row.check() }

    private static let family = AppleLine.familyShared
    private static let pass = StoredEntitlement.row("e1", "pass", expires: 10)

    private static func pass(
        _ id: String = "5", bought: Double = -20, cancelled: Double? = nil,
        _ more: AppleLine.Members = [:]
    ) -> String { AppleLine.once(id, "pass", bought: bought, cancelled: cancelled, with: more) }

    static let withdrawn: [AnsweredCase] = [
        AnsweredCase(
            "a lifetime purchase of the family", [shown(line("5", cancelled: -9, with: family))],
            granted, is: "family_revocation_recorded", "family_revoked_still_granted e1"),
        AnsweredCase(
            "a pass of the family", [shown(pass(cancelled: -9, family))], pass,
            is: "family_revocation_recorded", "family_revoked_still_granted e1"),
        AnsweredCase(
            "a pass", [shown(pass(cancelled: -9))], pass,
            is: "refund_recorded", "refunded_still_granted e1"),
        AnsweredCase(
            "of two passes the one cancelled last, which was the family's",
            [shown(pass("5", cancelled: -9), pass("6", cancelled: -8, family))], pass,
            is: "family_revocation_recorded", "family_revoked_still_granted e1",
            "refund_recorded"),
        AnsweredCase(
            "of two passes the one cancelled last, which was the customer's",
            [shown(pass("5", cancelled: -8), pass("6", cancelled: -9, family))], pass,
            is: "family_revocation_recorded", "refund_recorded", "refunded_still_granted e1"),
        AnsweredCase(
            "of two passes one", [shown(pass("5", cancelled: -9), pass("6", family))], pass,
            is: "consistent", "refund_recorded"),
    ]

    @Test(
        "The purchase that was cancelled last decides between refunded and family-revoked",
        arguments: withdrawn)
    func isWithdrawn(row: AnsweredCase) { row.check() }
}
