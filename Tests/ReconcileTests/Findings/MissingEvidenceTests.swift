import Testing

@testable import Reconcile

/// A receipt without evidence for its user, next to the user's other receipts.
@Suite("A receipt that gives no evidence")
struct MissingEvidenceTests {
    private static let gone = ReceiptEvidence.stored("r9", .rejected(.accountGone))
    private static let ended = [ReceiptEvidence.showing(AppleLine.period(from: -80, to: -50))]
    private static let active = [ReceiptEvidence.showing(AppleLine.period(from: -20, to: 10))]

    private static func row(
        chain: TransactionID? = nil, _ product: ProductID = "pro.monthly", isActive: Bool = true
    ) -> [StoredEntitlement] {
        let expires: Double? = product == "unlock" ? nil : 10
        return [.row("e1", product, chain: chain, isActive: isActive, expires: expires)]
    }

    static let accountGone = cases([
        "unverified": [
            ("alone, on a granted row", [], row()),
            ("alone, on a granted row of a lifetime purchase", [], row("unlock")),
            ("alone, on a granted row of a pass", [], row("pass")),
            ("alone, on a row that is not granted", [], row(isActive: false)),
        ],
        "unverified, expired": [("beside a chain that ended", ended, row())],
        "consistent": [("beside a chain that proves the row", active, row())],
        "active_not_granted e1": [("beside a chain that is owed", active, row(isActive: false))],
    ])

    @Test(
        "A receipt of a deleted account hides leaks of the rows that it may have proved",
        arguments: accountGone)
    func hidesProof(row: AnsweredCase) {
        row.check(beside: Self.gone, says: ["receipt_account_gone"])
    }

    /// Receipts that make evidence missing, and the findings about them.
    static let blinding: [(ReceiptEvidence, says: [String])] = [
        (.stored("r9", .unusable(.jws)), ["receipt_is_jws"]),
        (.stored("r9", .unusable(.notAReceipt)), ["receipt_malformed"]),
        (gone, ["receipt_account_gone"]), (unchecked, []),
        (.stored("r9", .verified(.showing(anomalies: [anomaly]))), ["parse_anomaly"]),
    ]

    private static func refund(
        _ more: AppleLine.Members = [:], cancelled: Double = -5
    ) -> [ReceiptEvidence] {
        [
            .showing(
                AppleLine.period("8", of: "7", from: -20, to: 10, cancelled: cancelled, with: more))
        ]
    }

    private static func once(_ id: String, _ product: String) -> [ReceiptEvidence] {
        let line = AppleLine.once(id, of: "4", product, bought: -20, cancelled: -5)
        return [.answered(AppleLine.answer(inApp: [line]))]
    }

    static let named = cases([
        "refunded_still_granted e1, refund_recorded": [
            ("the chain that was refunded", refund(), row(chain: "7")),
            ("the purchase that was refunded", once("5", "unlock"), row(chain: "4", "unlock")),
            ("the pass that was refunded", once("4", "pass"), row(chain: "4", "pass")),
        ],
        "family_revoked_still_granted e1, family_revocation_recorded": [
            (
                "the chain that the family has no more", refund(AppleLine.familyShared),
                row(chain: "7")
            )
        ],
    ])

    @Test(
        "A refund that the row names is reported in spite of missing evidence", arguments: blinding,
        named)
    func doesNotHide(blinding: (ReceiptEvidence, says: [String]), row: AnsweredCase) {
        row.check(beside: blinding.0, says: blinding.says)
    }

    static let unnamed = cases([
        "unverified, refund_recorded": [
            ("no chain", refund(), row()), ("another chain", refund(), row(chain: "99")),
            ("no purchase", once("5", "unlock"), row("unlock")),
        ],
        "unverified, expired": [("a chain that ended, no refund", ended, row(chain: "1"))],
        "settling, refund_recorded": [
            ("a refund of the last day", refund(cancelled: -0.5), row(chain: "7"))
        ],
    ])

    @Test(
        "Other leaks of a row are hidden by missing evidence, whatever chain the row names",
        arguments: blinding, unnamed)
    func hides(blinding: (ReceiptEvidence, says: [String]), row: AnsweredCase) {
        row.check(beside: blinding.0, says: blinding.says)
    }
}

extension AnsweredCase {
    fileprivate func check(beside receipt: ReceiptEvidence, says: [String]) {
        AnsweredCase("", receipts + [receipt], rows, expected: expected + says).check()
    }
}
