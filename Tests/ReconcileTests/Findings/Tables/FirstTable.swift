import Testing

@testable import Reconcile

/// One entry for each line of SPEC §5's first table.
struct Line: Sendable, CustomTestStringConvertible {
    let kind: FindingKind
    /// The smallest world that fires the line, with its cause that many days from the instant of
    /// judgement.
    let world: @Sendable (_ cause: Double) -> RowWorld
    /// The nearest world that does not fire it, and the verdict there.
    let nearly: RowWorld
    var verdict = "consistent"
    /// The table gives the line no cause.
    var neverSettles = false

    var testDescription: String { kind.rawValue }
}

extension Line {
    static let all = overs + unproven + owed + products + ends

    /// The row grants a right that has ended.
    private static let overs: [Line] = [
        Line(
            kind: .refundedStillGranted,
            world: { cause in
                RowWorld(
                    receipts: answers(.monthly(bought: -10, cancelled: cause)),
                    row: .row(expires: 20))
            },
            nearly: RowWorld(
                receipts: answers(.monthly(bought: -10, cancelled: 0.001)),
                row: .row(expires: 20))),
        Line(
            kind: .familyRevokedStillGranted,
            world: { cause in
                RowWorld(
                    receipts: answers(
                        .monthly(bought: -10, cancelled: cause, isFamilyShared: true)),
                    row: .row(expires: 20))
            },
            nearly: RowWorld(
                receipts: answers(
                    .monthly(bought: -10, cancelled: -4, isFamilyShared: true),
                    .monthly("2", of: "2", bought: -10)), row: .row(expires: 20))),
        Line(
            kind: .expiredStillGranted,
            world: { cause in
                RowWorld(receipts: answers(.monthly(bought: cause - 30)), row: .row(expires: 20))
            },
            nearly: RowWorld(
                receipts: answers(.monthly(bought: -29.999)), row: .row(expires: 0.001))),
        Line(
            kind: .billingRetryStillGranted,
            world: { cause in
                RowWorld(
                    receipts: answers(.monthly(bought: cause - 30), renewals: billingRetry),
                    row: .row(expires: 20))
            },
            nearly: RowWorld(
                receipts: answers(
                    .monthly(bought: -31),
                    renewals: [
                        Renewal(
                            originalID: "1", isInBillingRetry: true,
                            gracePeriodExpiresAt: .day(0.001))
                    ]), row: .row(expires: 0.001))),
    ]

    /// The row grants a right that nothing from Apple ever gave.
    private static let unproven: [Line] = [
        Line(
            kind: .grantWithoutReceipt,
            world: { cause in RowWorld(row: .row(updated: cause)) },
            nearly: RowWorld(receipts: answers(), row: .row()),
            verdict: "grant_without_transaction"),
        Line(
            kind: .wrongAppReceipt,
            world: { cause in
                RowWorld(
                    receipts: elsewhere("max.monthly", bundle: "other"), row: .row(updated: cause))
            },
            nearly: RowWorld(receipts: elsewhere("solo.monthly", bundle: "other"), row: .row()),
            verdict: "grant_without_transaction"),
        Line(
            kind: .sandboxGrantsProduction,
            world: { cause in
                RowWorld(
                    receipts: elsewhere("max.monthly", environment: .sandbox),
                    row: .row(updated: cause))
            },
            nearly: RowWorld(
                receipts: elsewhere("solo.monthly", environment: .sandbox), row: .row()),
            verdict: "grant_without_transaction"),
        Line(
            kind: .grantWithoutTransaction,
            world: { cause in
                RowWorld(
                    receipts: answers(.monthly(of: "1", "solo.monthly", bought: -10)),
                    row: .row(updated: cause), others: [.row("e2", "solo.monthly", expires: 20)])
            },
            nearly: RowWorld(receipts: answers(.monthly(bought: -10)), row: .row(expires: 20))),
        Line(
            kind: .freemiumUndecidable,
            world: { cause in
                RowWorld(
                    receipts: firstGot("4.1b2"),
                    row: .row("e1", "full", source: .legacyPaid, updated: cause))
            },
            nearly: RowWorld(
                receipts: firstGot("4.11"), row: .row("e1", "full", source: .legacyPaid)),
            verdict: "freemium_granted_not_paid", neverSettles: true),
        Line(
            kind: .freemiumGrantedNotPaid,
            world: { cause in
                RowWorld(
                    receipts: firstGot("4.11"),
                    row: .row("e1", "full", source: .legacyPaid, updated: cause))
            },
            nearly: RowWorld(
                receipts: firstGot("4.10.0"), row: .row("e1", "full", source: .legacyPaid))),
    ]

    /// The row does not grant a right that Apple gives.
    private static let owed: [Line] = [
        Line(
            kind: .refundReversedNotRestored,
            world: { cause in
                RowWorld(
                    receipts: answers(.monthly(bought: cause)), row: .row(isActive: false),
                    history: UserHistory([.refund("1", cancelled: -0.5)]))
            },
            nearly: RowWorld(
                receipts: answers(.monthly(bought: -10)), row: .row(isActive: false)),
            verdict: "active_not_granted"),
        Line(
            kind: .activeNotGranted,
            world: { cause in
                RowWorld(receipts: answers(.monthly(bought: cause)), row: .row(isActive: false))
            },
            nearly: RowWorld(receipts: answers(.monthly(bought: -30)), row: .row(isActive: false))),
        Line(
            kind: .graceNotGranted,
            world: { cause in
                RowWorld(
                    receipts: answers(.monthly(bought: cause - 30), renewals: inGrace),
                    row: .row(isActive: false))
            },
            nearly: RowWorld(
                receipts: answers(.monthly(bought: -36), renewals: billingRetry),
                row: .row(isActive: false))),
        Line(
            kind: .ownedNotGranted,
            world: { cause in
                RowWorld(
                    receipts: answers(.once("1", "unlock", bought: cause)),
                    row: .row("e1", "unlock", isActive: false))
            },
            nearly: RowWorld(
                receipts: answers(.once("1", "unlock", bought: -9, cancelled: -0.001)),
                row: .row("e1", "unlock", isActive: false))),
        Line(
            kind: .freemiumPaidNotGranted,
            world: { cause in
                RowWorld(
                    receipts: firstGot("4.9"),
                    row: .row("e1", "full", isActive: false, source: .legacyPaid, updated: cause))
            },
            nearly: RowWorld(
                receipts: firstGot("4.11"),
                row: .row("e1", "full", isActive: false, source: .legacyPaid)),
            neverSettles: true),
    ]

    /// The row and Apple give different products.
    private static let products: [Line] = [
        Line(
            kind: .duplicateGrant,
            world: { cause in
                bought("max.monthly", cause, others: [.row("e2", "max.monthly", expires: 20)])
            },
            nearly: bought(
                "max.monthly", -9,
                others: [.row("e2", "max.monthly", isActive: false, expires: 20)]),
            verdict: "upgrade_not_applied"),
        Line(
            kind: .upgradeNotApplied, world: { cause in bought("max.monthly", cause) },
            nearly: bought("pro.yearly", -9), verdict: "product_mismatch"),
        Line(
            kind: .downgradeNotApplied, world: { cause in bought("lite.monthly", cause) },
            nearly: bought("plus.monthly", -9), verdict: "product_mismatch"),
        Line(
            kind: .productMismatch, world: { cause in bought("pro.yearly", cause) },
            nearly: bought("pro.monthly", -10)),
    ]

    /// The row and Apple give the same product with different ends.
    private static let ends: [Line] = [
        Line(
            kind: .expiryMissing,
            world: { cause in
                RowWorld(receipts: answers(.monthly(bought: cause)), row: .row())
            },
            nearly: RowWorld(
                receipts: answers(.once("1", "unlock", bought: -9)), row: .row("e1", "unlock"))),
        Line(
            kind: .expiryTooLate,
            world: { cause in
                RowWorld(
                    receipts: answers(.monthly(bought: cause)),
                    row: .row(expires: cause + 30 + 61 * second))
            },
            nearly: RowWorld(
                receipts: answers(.monthly(bought: -9)), row: .row(expires: 21 + 60 * second))),
        Line(
            kind: .expiryTooEarly,
            world: { cause in
                RowWorld(
                    receipts: answers(.monthly(bought: cause)),
                    row: .row(expires: cause + 30 - 61 * second))
            },
            nearly: RowWorld(
                receipts: answers(.monthly(bought: -9)), row: .row(expires: 21 - 60 * second))),
        Line(
            kind: .ownershipMismatch,
            world: { cause in
                RowWorld(
                    receipts: answers(.monthly(bought: cause)),
                    row: .row(expires: cause + 30, ownership: .familyShared))
            },
            nearly: RowWorld(receipts: answers(.monthly(bought: -10)), row: .row(expires: 20)),
            neverSettles: true),
        Line(
            kind: .labelStale,
            world: { cause in
                RowWorld(
                    receipts: answers(
                        .monthly(bought: cause),
                        renewals: [Renewal(originalID: "1", willRenew: false)]),
                    row: .row(expires: cause + 30, autoRenew: true, updated: cause))
            },
            nearly: RowWorld(
                receipts: answers(
                    .monthly(bought: -10), renewals: [Renewal(originalID: "1", willRenew: nil)]),
                row: .row(expires: 20, autoRenew: true))),
    ]

    private static let second = 1.0 / 86_400

    private static func firstGot(_ version: String) -> [ReceiptEvidence] {
        [.stored(.verified(.showing(version: version)))]
    }

    private static func elsewhere(
        _ product: ProductID, bundle: BundleID = "acme",
        environment: StoreEnvironment = .production
    ) -> [ReceiptEvidence] {
        let purchase = Transaction.monthly("1", of: "1", product, bought: -10)
        return [
            .stored(.verified(.showing(purchase, bundle: bundle, environment: environment)))
        ]
    }

    private static func bought(
        _ product: ProductID, _ cause: Double, others: [StoredEntitlement] = []
    ) -> RowWorld {
        RowWorld(
            receipts: answers(.monthly("1", of: "1", product, bought: cause)),
            row: .row(expires: 20), others: others)
    }
}
