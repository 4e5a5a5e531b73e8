import Testing

@testable import Reconcile

/// A row names a chain, `99`, that is in no answer. Receipts are stored 5 days before the instant
/// of judgement.
@Suite("A row of a chain that no answer shows")
struct UnknownChainTests {
    private static let ended = [
        ReceiptEvidence.showing(AppleLine.period(from: -80, to: -50))
    ]
    private static let active = [ReceiptEvidence.showing(AppleLine.period(from: -20, to: 10))]
    private static let refunded = [
        ReceiptEvidence.showing(AppleLine.period(from: -20, to: 10, cancelled: -8))
    ]

    private static func shown(
        chain: String, bundle: String = "acme", environment: StoreEnvironment = .production
    ) -> [ReceiptEvidence] {
        let line = AppleLine.period("5", of: chain, from: -20, to: 10)
        return [
            .showing(),
            .answered(
                "r2", AppleLine.answer(latest: [line], bundle: bundle, environment: environment)),
        ]
    }

    private static func row(
        chain: TransactionID? = "99", _ product: ProductID = "pro.monthly",
        expires: Double = 20, updated: Double
    ) -> StoredEntitlement {
        .row("e1", product, chain: chain, expires: expires, updated: updated)
    }

    static let newer: [AnsweredCase] = [
        AnsweredCase(
            "beside a chain that ended", ended, row(updated: -4), is: "unverified", "expired"),
        AnsweredCase(
            "of another product of the group", ended, row("max.monthly", updated: -4),
            is: "unverified", "expired"),
        AnsweredCase("without a subscription", [.showing()], row(updated: -4), is: "unverified"),
        AnsweredCase(
            "beside one that is active and ends before", active, row(updated: -4),
            is: "unverified"),
        AnsweredCase(
            "beside one that was refunded, which the row does not name", refunded,
            row(updated: -4), is: "unverified", "refund_recorded"),
        AnsweredCase(
            "of a product that the catalogue lacks",
            [.showing(AppleLine.period("1", "x.monthly", from: -80, to: -50))],
            row("x.monthly", updated: -4), is: "unverified", "expired"),
        AnsweredCase(
            "of a product that the sandbox shows under another chain",
            shown(chain: "98", environment: .sandbox), row(updated: -4), is: "unverified"),
    ]

    @Test(
        "The row is unverified when it changed after the newest receipt was stored",
        arguments: newer)
    func isUnverified(row: AnsweredCase) { row.check() }

    static let accused: [AnsweredCase] = [
        AnsweredCase(
            "that changed before the receipt was stored", ended, row(updated: -6),
            is: "expired_still_granted e1"),
        AnsweredCase(
            "that changed at the instant at which it was stored", ended, row(updated: -5),
            is: "expired_still_granted e1"),
        AnsweredCase(
            "that changed before the newest of two was stored",
            [
                .answered("r1", AppleLine.answer(), stored: -60),
                .answered(
                    "r2", AppleLine.answer(latest: [AppleLine.period(from: -80, to: -50)]),
                    stored: -3),
            ], row(updated: -4), is: "expired_still_granted e1"),
        AnsweredCase(
            "that names none", ended, row(chain: nil, updated: -4),
            is: "expired_still_granted e1"),
        AnsweredCase(
            "that names one that is known", ended, row(chain: "1", updated: -4),
            is: "expired_still_granted e1"),
        AnsweredCase(
            "that names one that the sandbox shows", shown(chain: "99", environment: .sandbox),
            row(updated: -4), is: "sandbox_grants_production e1"),
        AnsweredCase(
            "that names one that an answer for another app shows",
            shown(chain: "99", bundle: "other"), row(updated: -4), is: "receipt_for_other_app",
            "wrong_app_receipt e1"),
        AnsweredCase(
            "without a subscription, that changed before the receipt was stored",
            [.showing()], row(updated: -6), is: "grant_without_transaction e1"),
    ]

    @Test("The row is accused when it is not newer than the newest receipt", arguments: accused)
    func isAccused(row: AnsweredCase) { row.check() }

    static let proven: [AnsweredCase] = [
        AnsweredCase(
            "is owed what another chain gives", active, row(expires: 3, updated: -4),
            is: "expiry_too_early e1"),
        AnsweredCase(
            "agrees with another chain", active, row(expires: 10, updated: -4), is: "consistent"),
        AnsweredCase(
            "lacks an upgrade of another chain",
            [.showing(AppleLine.period("1", "max.monthly", from: -20, to: 10))],
            row(expires: 10, updated: -4), is: "upgrade_not_applied e1"),
    ]

    @Test("Findings that need only positive proof are reported all the same", arguments: proven)
    func isProven(row: AnsweredCase) { row.check() }
}
