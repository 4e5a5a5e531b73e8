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

    private static func shown(_ lines: String...) -> [ReceiptEvidence] {
        [.answered(AppleLine.answer(inApp: lines))]
    }

    /// Two answers, of which the older is 77 days older.
    private static func shown(_ old: String, then new: String?) -> [ReceiptEvidence] {
        [.answered("r1", AppleLine.answer(inApp: [old], created: -80))]
            + [.answered("r2", AppleLine.answer(inApp: new.map { [$0] } ?? []))]
    }

    private static let granted = StoredEntitlement.row("e1", "unlock", chain: "5")
    private static let taken = StoredEntitlement.row("e1", "unlock", isActive: false)
    private static let restore = line("6", bought: -100)

    static let restored: [AnsweredCase] = [
        .init("and not refunded is owned", shown(line("5"), restore), granted, is: "consistent"),
        .init(
            "and refunded under both ids is one refund",
            shown(line("5", cancelled: -9), line("6", bought: -100, cancelled: -9)), taken,
            is: "consistent", "refund_recorded"),
        .init(
            "and refunded under the first id is not owned",
            shown(line("5", cancelled: -9), restore), granted,
            is: "refund_recorded", "refunded_still_granted e1"),
        .init(
            "and refunded under the second id is not owned",
            shown(line("5"), line("6", bought: -100, cancelled: -9)), taken,
            is: "consistent", "refund_recorded"),
        .init(
            "and refunded in the newer answer is not owned",
            shown(restore, then: line("5", cancelled: -9)), granted,
            is: "refund_recorded", "refunded_still_granted e1"),
        .init(
            "and refunded in the older answer only is owned",
            shown(line("5", cancelled: -85), then: line("6", bought: -60)), granted,
            is: "consistent"),
        .init(
            "after it is refunded in an answer that a newer one does not speak of",
            shown(line("5", cancelled: -85), then: nil), granted,
            is: "refund_recorded", "refunded_still_granted e1"),
        .init(
            "and bought anew after the refund is owned: two purchases",
            shown(line("5", cancelled: -50), line("8", of: "8", bought: -20)), granted,
            is: "consistent", "refund_recorded"),
        .init(
            "and refunded twice are two purchases",
            shown(line("5", cancelled: -50), line("8", of: "8", bought: -40, cancelled: -20)),
            taken, is: "consistent", "refund_recorded", "refund_recorded"),
    ]

    @Test("Restores of a lifetime purchase count as one purchase", arguments: restored)
    func isOnePurchase(row: AnsweredCase) { row.check() }

    private static let family = AppleLine.familyShared
    private static let pass = StoredEntitlement.row("e1", "pass", expires: 10)

    private static func pass(
        _ id: String = "5", cancelled: Double? = nil, _ more: AppleLine.Members = [:]
    ) -> String { AppleLine.once(id, "pass", bought: -20, cancelled: cancelled, with: more) }

    private static let refunded = ["refund_recorded", "refunded_still_granted e1"]
    private static let revoked = ["family_revocation_recorded", "family_revoked_still_granted e1"]

    static let withdrawn: [AnsweredCase] = [
        .init(
            "a lifetime purchase of the family", shown(line("5", cancelled: -9, with: family)),
            [granted], expected: revoked),
        .init(
            "a pass of the family", shown(pass(cancelled: -9, family)), [pass], expected: revoked),
        .init("a pass", shown(pass(cancelled: -9)), [pass], expected: refunded),
        .init(
            "of two passes the one cancelled last, which was the family's",
            shown(pass("5", cancelled: -9), pass("6", cancelled: -8, family)), [pass],
            expected: revoked + ["refund_recorded"]),
        .init(
            "of two passes the one cancelled last, which was the customer's",
            shown(pass("5", cancelled: -8), pass("6", cancelled: -9, family)), [pass],
            expected: refunded + ["family_revocation_recorded"]),
        .init(
            "of two passes one", shown(pass("5", cancelled: -9), pass("6", family)), pass,
            is: "consistent", "refund_recorded"),
    ]

    @Test(
        "The purchase that was cancelled last decides between refunded and family-revoked",
        arguments: withdrawn)
    func isWithdrawn(row: AnsweredCase) { row.check() }
}
