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

    private static let granted = [StoredEntitlement.row("e1", "unlock", chain: "5")]
    private static let taken = [StoredEntitlement.row("e1", "unlock", isActive: false)]
    private static let first = line("5")
    private static let refunded = line("5", cancelled: -9)
    private static let restore = line("6", bought: -100)
    private static let refundedRestore = line("6", bought: -100, cancelled: -9)
    private static let another = line("8", of: "8", bought: -40)
    private static let refundedAnother = line("8", of: "8", bought: -40, cancelled: -20)
    private static let long = line("5", cancelled: -85)

    static let restored = cases([
        "consistent": [
            ("not refunded", shown(first, restore), granted),
            (
                "refunded in the older answer only", shown(long, then: line("6", bought: -60)),
                granted
            ),
        ],
        "consistent, refund_recorded": [
            ("refunded under both ids, once", shown(refunded, refundedRestore), taken),
            ("refunded under the second id", shown(first, refundedRestore), taken),
            ("bought anew after the refund", shown(line("5", cancelled: -50), another), granted),
        ],
        "consistent, refund_recorded, refund_recorded": [
            (
                "bought anew and refunded twice", shown(line("5", cancelled: -50), refundedAnother),
                taken
            )
        ],
        "refund_recorded, refunded_still_granted e1": [
            ("refunded under the first id", shown(refunded, restore), granted),
            ("refunded in the newer answer", shown(restore, then: refunded), granted),
            (
                "refunded in an answer, and not in a newer one at all", shown(long, then: nil),
                granted
            ),
        ],
    ])

    @Test("Restores of a lifetime purchase count as one purchase", arguments: restored)
    func isOnePurchase(row: AnsweredCase) { row.check() }

    private static let family = AppleLine.familyShared
    private static let pass = [StoredEntitlement.row("e1", "pass", expires: 10)]

    private static func pass(
        _ id: String = "5", cancelled: Double? = nil, _ more: AppleLine.Members = [:]
    ) -> String { AppleLine.once(id, "pass", bought: -20, cancelled: cancelled, with: more) }

    private static func two(_ own: Double, _ familys: Double?) -> [ReceiptEvidence] {
        shown(pass("5", cancelled: own), pass("6", cancelled: familys, family))
    }

    static let withdrawn = cases([
        "family_revocation_recorded, family_revoked_still_granted e1": [
            ("a family's for good", shown(line("5", cancelled: -9, with: family)), granted),
            ("a pass of the family", shown(pass(cancelled: -9, family)), pass),
        ],
        "refund_recorded, refunded_still_granted e1": [
            ("a pass", shown(pass(cancelled: -9)), pass)
        ],
        "family_revocation_recorded, family_revoked_still_granted e1, refund_recorded": [
            ("of two passes the family's last", two(-9, -8), pass)
        ],
        "family_revocation_recorded, refund_recorded, refunded_still_granted e1": [
            ("of two passes the customer's last", two(-8, -9), pass)
        ],
        "consistent, refund_recorded": [("of two passes one", two(-9, nil), pass)],
    ])

    @Test(
        "The purchase that was cancelled last decides between refunded and family-revoked",
        arguments: withdrawn)
    func isWithdrawn(row: AnsweredCase) { row.check() }
}
