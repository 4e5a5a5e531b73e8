import Testing

@testable import Reconcile

/// A row names a chain, `99`, that is in no answer. Receipts are stored 5 days before the instant
/// of judgement.
@Suite("A row of a chain that no answer shows")
struct UnknownChainTests {
    private static func period(
        _ product: String = "pro.monthly", from start: Double = -80, to end: Double = -50,
        cancelled: Double? = nil
    ) -> [ReceiptEvidence] {
        [.showing(AppleLine.period("1", product, from: start, to: end, cancelled: cancelled))]
    }

    private static let ended = period()
    private static let active = period(from: -20, to: 10)
    private static let refunded = period(from: -20, to: 10, cancelled: -8)
    private static let nothing = [ReceiptEvidence.showing()]
    private static let twoReceipts: [ReceiptEvidence] = [
        .answered("r1", AppleLine.answer(), stored: -60),
        .answered(
            "r2", AppleLine.answer(latest: [AppleLine.period(from: -80, to: -50)]), stored: -3),
    ]

    private static func shown(
        _ chain: String, bundle: String = "acme", _ environment: StoreEnvironment = .production
    ) -> [ReceiptEvidence] {
        let line = AppleLine.period("5", of: chain, from: -20, to: 10)
        let answer = AppleLine.answer(latest: [line], bundle: bundle, environment: environment)
        return [.showing(), .answered("r2", answer)]
    }

    private static func row(
        chain: TransactionID? = "99", _ product: ProductID = "pro.monthly",
        expires: Double = 20, updated: Double = -4
    ) -> [StoredEntitlement] {
        [.row("e1", product, chain: chain, expires: expires, updated: updated)]
    }

    static let newer = cases([
        "unverified": [
            ("without a subscription", nothing, row()),
            ("beside one that is active and ends before", active, row()),
            ("of a product that the sandbox shows as another chain", shown("98", .sandbox), row()),
        ],
        "unverified, expired": [
            ("beside a chain that ended", ended, row()),
            ("of another product of the group", ended, row("max.monthly")),
            ("of a product that the catalogue lacks", period("x.monthly"), row("x.monthly")),
        ],
        "unverified, refund_recorded": [
            ("beside one that was refunded, which the row does not name", refunded, row())
        ],
    ])

    @Test(
        "The row is unverified when it changed after the newest receipt was stored",
        arguments: newer)
    func isUnverified(row: AnsweredCase) { row.check() }

    static let accused = cases([
        "expired_still_granted e1": [
            ("changed before the receipt was stored", ended, row(updated: -6)),
            ("changed at the instant at which it was stored", ended, row(updated: -5)),
            ("changed before the newest of two was stored", twoReceipts, row()),
            ("that names no chain", ended, row(chain: nil)),
            ("that names one that is known", ended, row(chain: "1")),
        ],
        "sandbox_grants_production e1": [
            ("that names one that the sandbox shows", shown("99", .sandbox), row())
        ],
        "receipt_for_other_app, wrong_app_receipt e1": [
            ("that names one of another app", shown("99", bundle: "other"), row())
        ],
        "grant_without_transaction e1": [
            ("without a subscription, changed before", nothing, row(updated: -6))
        ],
    ])

    @Test("The row is accused when it is not newer than the newest receipt", arguments: accused)
    func isAccused(row: AnsweredCase) { row.check() }

    static let proven = cases([
        "expiry_too_early e1": [("is owed what another chain gives", active, row(expires: 3))],
        "consistent": [("agrees with another chain", active, row(expires: 10))],
        "upgrade_not_applied e1": [
            (
                "lacks an upgrade of another chain", period("max.monthly", from: -20, to: 10),
                row(expires: 10)
            )
        ],
    ])

    @Test("Findings that need only positive proof are reported all the same", arguments: proven)
    func isProven(row: AnsweredCase) { row.check() }
}
