import Testing

@testable import Reconcile

/// A row names a chain, `99`, that is in no answer. Receipts are stored 5 days before the instant
/// of judgement.
@Suite("A row of a chain that no answer shows")
struct UnknownChainTests {
    private static let ended = [ReceiptEvidence.showing(AppleLine.period(from: -80, to: -50))]
    private static let active = [ReceiptEvidence.showing(AppleLine.period(from: -20, to: 10))]
    private static let refunded = [
        ReceiptEvidence.showing(AppleLine.period(from: -20, to: 10, cancelled: -8))
    ]

    private static func shown(
        chain: String, bundle: String = "acme", environment: StoreEnvironment = .production
    ) -> [ReceiptEvidence] {
        let line = AppleLine.period("5", of: chain, from: -20, to: 10)
        let answer = AppleLine.answer(latest: [line], bundle: bundle, environment: environment)
        return [.showing(), .answered("r2", answer)]
    }

    private static func row(
        chain: TransactionID? = "99", _ product: ProductID = "pro.monthly",
        expires: Double = 20, updated: Double = -4
    ) -> StoredEntitlement {
        .row("e1", product, chain: chain, expires: expires, updated: updated)
    }

    static let newer: [AnsweredCase] = [
        .init("beside a chain that ended", ended, row(), is: "unverified", "expired"),
        .init(
            "of another product of the group", ended, row("max.monthly"),
            is: "unverified", "expired"),
        .init("without a subscription", [.showing()], row(), is: "unverified"),
        .init("beside one that is active and ends before", active, row(), is: "unverified"),
        .init(
            "beside one that was refunded, which the row does not name", refunded, row(),
            is: "unverified", "refund_recorded"),
        .init(
            "of a product that the catalogue lacks",
            [.showing(AppleLine.period("1", "x.monthly", from: -80, to: -50))],
            row("x.monthly"), is: "unverified", "expired"),
        .init(
            "of a product that the sandbox shows under another chain",
            shown(chain: "98", environment: .sandbox), row(), is: "unverified"),
    ]

    @Test(
        "The row is unverified when it changed after the newest receipt was stored",
        arguments: newer)
    func isUnverified(row: AnsweredCase) { row.check() }

    private static let expired = ["expired_still_granted e1"]

    static let accused: [AnsweredCase] = [
        .init(
            "that changed before the receipt was stored", ended, [row(updated: -6)],
            expected: expired),
        .init(
            "that changed at the instant at which it was stored", ended, [row(updated: -5)],
            expected: expired),
        .init(
            "that changed before the newest of two was stored",
            [
                .answered("r1", AppleLine.answer(), stored: -60),
                .answered(
                    "r2", AppleLine.answer(latest: [AppleLine.period(from: -80, to: -50)]),
                    stored: -3),
            ], [row()], expected: expired),
        .init("that names none", ended, [row(chain: nil)], expected: expired),
        .init("that names one that is known", ended, [row(chain: "1")], expected: expired),
        .init(
            "that names one that the sandbox shows", shown(chain: "99", environment: .sandbox),
            row(), is: "sandbox_grants_production e1"),
        .init(
            "that names one that an answer for another app shows",
            shown(chain: "99", bundle: "other"), row(),
            is: "receipt_for_other_app", "wrong_app_receipt e1"),
        .init(
            "without a subscription, that changed before the receipt was stored", [.showing()],
            row(updated: -6), is: "grant_without_transaction e1"),
    ]

    @Test("The row is accused when it is not newer than the newest receipt", arguments: accused)
    func isAccused(row: AnsweredCase) { row.check() }

    static let proven: [AnsweredCase] = [
        .init(
            "is owed what another chain gives", active, row(expires: 3), is: "expiry_too_early e1"),
        .init("agrees with another chain", active, row(expires: 10), is: "consistent"),
        .init(
            "lacks an upgrade of another chain",
            [.showing(AppleLine.period("1", "max.monthly", from: -20, to: 10))],
            row(expires: 10), is: "upgrade_not_applied e1"),
    ]

    @Test("Findings that need only positive proof are reported all the same", arguments: proven)
    func isProven(row: AnsweredCase) { row.check() }
}
