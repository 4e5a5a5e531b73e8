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
    let verdict: String
    /// The table gives the line no cause.
    let neverSettles: Bool

    var testDescription: String { kind.rawValue }

    init(
        _ kind: FindingKind, _ world: @escaping @Sendable (Double) -> RowWorld, nearly: RowWorld,
        is verdict: String = "consistent", neverSettles: Bool = false
    ) {
        self.kind = kind
        self.world = world
        self.nearly = nearly
        self.verdict = verdict
        self.neverSettles = neverSettles
    }
}

extension Line {
    static let all = overs + unproven + owed + products + ends

    /// The row grants a right that has ended.
    private static let overs: [Line] = [
        Line(
            .refundedStillGranted,
            { RowWorld(answers(.monthly(bought: -10, cancelled: $0)), granted) },
            nearly: RowWorld(answers(.monthly(bought: -10, cancelled: 0.001)), granted)),
        Line(
            .familyRevokedStillGranted,
            { cause in
                let shared = Transaction.monthly(
                    bought: -10, cancelled: cause, isFamilyShared: true)
                return RowWorld(answers(shared), granted)
            },
            nearly: RowWorld(
                answers(
                    .monthly(bought: -10, cancelled: -4, isFamilyShared: true),
                    .monthly("2", of: "2", bought: -10)), granted)),
        Line(
            .expiredStillGranted,
            { RowWorld(answers(.monthly(bought: $0 - 30)), granted) },
            nearly: RowWorld(answers(.monthly(bought: -29.999)), .row(expires: 0.001))),
        Line(
            .billingRetryStillGranted,
            { RowWorld(answers(.monthly(bought: $0 - 30), renewals: billingRetry), granted) },
            nearly: RowWorld(
                answers(
                    .monthly(bought: -31), renewals: [.grace(until: 0.001, retries: true)]),
                .row(expires: 0.001))),
    ]

    /// The row grants a right that nothing from Apple ever gave.
    private static let unproven: [Line] = [
        Line(
            .grantWithoutReceipt, { RowWorld([], .row(updated: $0)) },
            nearly: RowWorld(answers(), .row()), is: "grant_without_transaction"),
        Line(
            .wrongAppReceipt,
            { RowWorld(elsewhere("max.monthly", bundle: "other"), .row(updated: $0)) },
            nearly: RowWorld(elsewhere("solo.monthly", bundle: "other"), .row()),
            is: "grant_without_transaction"),
        Line(
            .sandboxGrantsProduction,
            { RowWorld(elsewhere("max.monthly", environment: .sandbox), .row(updated: $0)) },
            nearly: RowWorld(elsewhere("solo.monthly", environment: .sandbox), .row()),
            is: "grant_without_transaction"),
        Line(
            .grantWithoutTransaction,
            { cause in
                RowWorld(
                    answers(.monthly(of: "1", "solo.monthly", bought: -10)), .row(updated: cause),
                    others: [.row("e2", "solo.monthly", expires: 20)])
            },
            nearly: RowWorld(answers(.monthly(bought: -10)), granted)),
        Line(
            .freemiumUndecidable, { RowWorld(got("4.1b2"), premium(updated: $0)) },
            nearly: RowWorld(got("4.11"), premium()), is: "freemium_granted_not_paid",
            neverSettles: true),
        Line(
            .freemiumGrantedNotPaid, { RowWorld(got("4.11"), premium(updated: $0)) },
            nearly: RowWorld(got("4.10.0"), premium())),
    ]

    /// The row does not grant a right that Apple gives.
    private static let owed: [Line] = [
        Line(
            .refundReversedNotRestored,
            { cause in
                RowWorld(
                    answers(.monthly(bought: cause)), taken,
                    history: [.refund("1", cancelled: -0.5)])
            },
            nearly: RowWorld(answers(.monthly(bought: -10)), taken), is: "active_not_granted"),
        Line(
            .activeNotGranted, { RowWorld(answers(.monthly(bought: $0)), taken) },
            nearly: RowWorld(answers(.monthly(bought: -30)), taken)),
        Line(
            .graceNotGranted,
            { RowWorld(answers(.monthly(bought: $0 - 30), renewals: inGrace), taken) },
            nearly: RowWorld(answers(.monthly(bought: -36), renewals: billingRetry), taken)),
        Line(
            .ownedNotGranted,
            { cause in
                RowWorld(
                    answers(.once("1", "unlock", bought: cause)),
                    .row("e1", "unlock", isActive: false))
            },
            nearly: RowWorld(
                answers(.once("1", "unlock", bought: -9, cancelled: -0.001)),
                .row("e1", "unlock", isActive: false))),
        Line(
            .freemiumPaidNotGranted,
            { RowWorld(got("4.9"), premium(isActive: false, updated: $0)) },
            nearly: RowWorld(got("4.11"), premium(isActive: false)), neverSettles: true),
    ]

    /// The row and Apple give different products.
    private static let products: [Line] = [
        Line(
            .duplicateGrant,
            { bought("max.monthly", $0, others: [.row("e2", "max.monthly", expires: 20)]) },
            nearly: bought(
                "max.monthly", -9,
                others: [.row("e2", "max.monthly", isActive: false, expires: 20)]),
            is: "upgrade_not_applied"),
        Line(
            .upgradeNotApplied, { bought("max.monthly", $0) }, nearly: bought("pro.yearly", -9),
            is: "product_mismatch"),
        Line(
            .downgradeNotApplied, { bought("lite.monthly", $0) },
            nearly: bought("plus.monthly", -9), is: "product_mismatch"),
        Line(
            .productMismatch, { bought("pro.yearly", $0) }, nearly: bought("pro.monthly", -10)),
    ]

    /// The row and Apple give the same product with different ends.
    private static let ends: [Line] = [
        Line(
            .expiryMissing, { RowWorld(answers(.monthly(bought: $0)), .row()) },
            nearly: RowWorld(answers(.once("1", "unlock", bought: -9)), .row("e1", "unlock"))),
        Line(
            .expiryTooLate, { ending($0, laterBy: 61) }, nearly: ending(-9, laterBy: 60)),
        Line(
            .expiryTooEarly, { ending($0, laterBy: -61) }, nearly: ending(-9, laterBy: -60)),
        Line(
            .ownershipMismatch,
            { cause in
                RowWorld(
                    answers(.monthly(bought: cause)),
                    .row(expires: cause + 30, ownership: .familyShared))
            },
            nearly: RowWorld(answers(.monthly(bought: -10)), granted), neverSettles: true),
        Line(
            .labelStale,
            { cause in
                RowWorld(
                    answers(
                        .monthly(bought: cause),
                        renewals: [Renewal(originalID: "1", willRenew: false)]),
                    .row(expires: cause + 30, autoRenew: true, updated: cause))
            },
            nearly: RowWorld(
                answers(
                    .monthly(bought: -10), renewals: [Renewal(originalID: "1", willRenew: nil)]),
                .row(expires: 20, autoRenew: true))),
    ]

    private static let granted = StoredEntitlement.row(expires: 20)
    private static let taken = StoredEntitlement.row(isActive: false)

    private static func premium(
        isActive: Bool = true, updated: Double = -10
    ) -> StoredEntitlement {
        .row("e1", "full", isActive: isActive, source: .legacyPaid, updated: updated)
    }

    private static func elsewhere(
        _ product: ProductID, bundle: BundleID = "acme",
        environment: StoreEnvironment = .production
    ) -> [ReceiptEvidence] {
        let purchase = Transaction.monthly("1", of: "1", product, bought: -10)
        return verified(.showing(purchase, bundle: bundle, environment: environment))
    }

    private static func bought(
        _ product: ProductID, _ cause: Double, others: [StoredEntitlement] = []
    ) -> RowWorld {
        RowWorld(
            answers(.monthly("1", of: "1", product, bought: cause)), granted, others: others)
    }

    private static func ending(_ cause: Double, laterBy seconds: Double) -> RowWorld {
        RowWorld(
            answers(.monthly(bought: cause)), .row(expires: cause + 30 + seconds / 86_400))
    }
}
