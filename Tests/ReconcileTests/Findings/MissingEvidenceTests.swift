import Testing

@testable import Reconcile

/// A receipt without evidence for its user, next to the user's other receipts.
@Suite("A receipt that gives no evidence")
struct MissingEvidenceTests {
    private static let gone = ReceiptEvidence.stored("r9", .rejected(.accountGone))
    private static let jws = ReceiptEvidence.stored("r9", .unusable(.jws))

    private static let ended = ReceiptEvidence.showing(AppleLine.period(from: -80, to: -50))
    private static let active = ReceiptEvidence.showing(AppleLine.period(from: -20, to: 10))

    private static func row(
        chain: TransactionID? = nil, _ product: ProductID = "pro.monthly", isActive: Bool = true,
        expires: Double? = 10
    ) -> StoredEntitlement {
        .row("e1", product, chain: chain, isActive: isActive, expires: expires)
    }

    static let accountGone: [AnsweredCase] = [
        AnsweredCase("alone, on a granted row", [gone], row(), is: "unverified"),
        AnsweredCase(
            "alone, on a granted row of a lifetime purchase", [gone],
            row("unlock", expires: nil), is: "unverified"),
        AnsweredCase("alone, on a granted row of a pass", [gone], row("pass"), is: "unverified"),
        AnsweredCase(
            "alone, on a row that is not granted", [gone], row(isActive: false),
            is: "unverified"),
        AnsweredCase(
            "beside a chain that ended", [gone, ended], row(), is: "unverified", "expired"),
        AnsweredCase(
            "beside a refund that the row does not name",
            [gone, .showing(AppleLine.period(from: -20, to: 10, cancelled: -5))], row(),
            is: "unverified", "refund_recorded"),
        AnsweredCase(
            "beside a chain that proves the row", [gone, active], row(), is: "consistent"),
        AnsweredCase(
            "beside a chain that is owed", [gone, active], row(isActive: false),
            is: "active_not_granted e1"),
    ]

    @Test(
        "A receipt of a deleted account hides leaks of the rows that it may have proved",
        arguments: accountGone)
    func hidesProof(row: AnsweredCase) {
        AnsweredCase(
            row.testDescription, row.receipts, row.rows,
            expected: row.expected + ["receipt_account_gone"]
        ).check()
    }

    /// Receipts that make evidence missing, and the findings about them.
    static let blinding: [Blinding] = [
        Blinding("a JWS", jws, says: "receipt_is_jws"),
        Blinding(
            "a malformed receipt", .stored("r9", .unusable(.notAReceipt)),
            says: "receipt_malformed"),
        Blinding("a deleted account", gone, says: "receipt_account_gone"),
        Blinding("an unchecked receipt", unchecked, says: nil),
        Blinding(
            "a line set aside",
            .stored("r9", .verified(.showing(anomalies: [ParseAnomaly(key: "product_id")]))),
            says: "parse_anomaly"),
    ]

    struct Blinding: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let receipt: ReceiptEvidence
        let says: [String]

        init(_ title: String, _ receipt: ReceiptEvidence, says: String?) {
            testDescription = title
            self.receipt = receipt
            self.says = says.map { [$0] } ?? []
        }
    }

    private static func refund(
        _ more: AppleLine.Members = [:], cancelled: Double = -5
    ) -> ReceiptEvidence {
        .showing(
            AppleLine.period("8", of: "7", from: -20, to: 10, cancelled: cancelled, with: more))
    }

    private static let restored = ReceiptEvidence.answered(
        AppleLine.answer(inApp: [
            AppleLine.once("5", of: "4", "unlock", bought: -20, cancelled: -5)
        ]))

    static let named: [AnsweredCase] = [
        AnsweredCase(
            "the chain that was refunded", [refund()], row(chain: "7"),
            is: "refunded_still_granted e1", "refund_recorded"),
        AnsweredCase(
            "the chain that the family does not share any more",
            [refund(AppleLine.familyShared)], row(chain: "7"),
            is: "family_revoked_still_granted e1", "family_revocation_recorded"),
        AnsweredCase(
            "the purchase that was refunded", [restored], row(chain: "4", "unlock", expires: nil),
            is: "refunded_still_granted e1", "refund_recorded"),
        AnsweredCase(
            "the pass that was refunded",
            [.showing(AppleLine.once("4", "pass", bought: -20, cancelled: -5))],
            row(chain: "4", "pass"), is: "refunded_still_granted e1", "refund_recorded"),
    ]

    static let unnamed: [AnsweredCase] = [
        AnsweredCase("no chain", [refund()], row(), is: "unverified", "refund_recorded"),
        AnsweredCase(
            "another chain", [refund()], row(chain: "99"), is: "unverified", "refund_recorded"),
        AnsweredCase(
            "no purchase", [restored], row("unlock", expires: nil), is: "unverified",
            "refund_recorded"),
        AnsweredCase(
            "a chain that ended, which is no refund", [ended], row(chain: "1"), is: "unverified",
            "expired"),
        AnsweredCase(
            "a chain that was refunded in the last day", [refund(cancelled: -0.5)],
            row(chain: "7"), is: "settling", "refund_recorded"),
    ]

    @Test(
        "A refund that the row names is reported in spite of missing evidence", arguments: blinding,
        named)
    func doesNotHide(blinding: Blinding, row: AnsweredCase) {
        AnsweredCase(
            "", row.receipts + [blinding.receipt], row.rows,
            expected: row.expected + blinding.says
        ).check()
    }

    @Test(
        "Other leaks of a row are hidden by missing evidence, whatever chain the row names",
        arguments: blinding, unnamed)
    func hides(blinding: Blinding, row: AnsweredCase) {
        AnsweredCase(
            "", row.receipts + [blinding.receipt], row.rows,
            expected: row.expected + blinding.says
        ).check()
    }
}
