@testable import Reconcile

extension KindCase {
    /// Each kind on a stored row, in the table's order. The first row has the finding.
    static let onRows = ended + unproven + owed + different

    private static let ended: [KindCase] = [
        KindCase(
            .refundedStillGranted,
            nearMiss: World(
                receipts: [.answer(.pro(bought: -10, cancelled: 0.001))], rows: [.pro(until: 20)])
        ) { cause in
            World(receipts: [.answer(.pro(bought: -10, cancelled: cause))], rows: [.pro(until: 20)])
        },
        KindCase(
            .familyRevokedStillGranted,
            nearMiss: World(
                receipts: [
                    .answer(
                        .pro(bought: -10, cancelled: -4, ownership: .familyShared),
                        .pro(bought: -10, original: "2"))
                ], rows: [.pro(until: 20)])
        ) { cause in
            World(
                receipts: [.answer(.pro(bought: -10, cancelled: cause, ownership: .familyShared))],
                rows: [.pro(until: 20)])
        },
        KindCase(
            .expiredStillGranted,
            nearMiss: World(receipts: [.answer(.pro(bought: -29.999))], rows: [.pro(until: 0.001)])
        ) { cause in World(receipts: [.answer(.pro(bought: cause - 30))], rows: [.pro(until: 20)])
        },
        KindCase(
            .billingRetryStillGranted,
            nearMiss: World(
                receipts: [.answer(.pro(bought: -31), .renewal(.grace(until: 0.001), .retry))],
                rows: [.pro(until: 0.001)])
        ) { cause in
            World(
                receipts: [.answer(.pro(bought: cause - 30), .renewal(.retry))],
                rows: [.pro(until: 20)])
        },
    ]

    private static let unproven: [KindCase] = [
        KindCase(
            .grantWithoutReceipt, nearMiss: World(receipts: [.answer()], rows: [.pro()]),
            nearVerdict: .found(.grantWithoutTransaction)
        ) { cause in World(rows: [.pro(changed: cause)]) },
        KindCase(
            .wrongAppReceipt,
            nearMiss: World(
                receipts: [.answer(.solo(bought: -10), saysApp: "other")], rows: [.pro()]),
            nearVerdict: .found(.grantWithoutTransaction)
        ) { cause in
            World(
                receipts: [.answer(.max(bought: -10), saysApp: "other")],
                rows: [.pro(changed: cause)])
        },
        KindCase(
            .sandboxGrantsProduction,
            nearMiss: World(
                receipts: [.answer(.solo(bought: -10), environment: .sandbox)], rows: [.pro()]),
            nearVerdict: .found(.grantWithoutTransaction)
        ) { cause in
            World(
                receipts: [.answer(.max(bought: -10), environment: .sandbox)],
                rows: [.pro(changed: cause)])
        },
        KindCase(
            .grantWithoutTransaction,
            nearMiss: World(receipts: [.answer(.pro(bought: -10))], rows: [.pro(until: 20)])
        ) { cause in
            World(
                receipts: [.answer(.solo(bought: -10))],
                rows: [.pro(changed: cause), .solo(until: 20)])
        },
        KindCase(
            .freemiumUndecidable,
            nearMiss: World(
                receipts: [.answer(version: "4.11")], rows: [.full(source: .legacyPaid)]),
            nearVerdict: .found(.freemiumGrantedNotPaid)
        ) { cause in
            World(
                receipts: [.answer(version: "4.1b2")],
                rows: [.full(changed: cause, source: .legacyPaid)])
        },
        KindCase(
            .freemiumGrantedNotPaid,
            nearMiss: World(
                receipts: [.answer(version: "4.10.0")], rows: [.full(source: .legacyPaid)])
        ) { cause in
            World(
                receipts: [.answer(version: "4.11")],
                rows: [.full(changed: cause, source: .legacyPaid)])
        },
    ]

    private static let owed: [KindCase] = [
        KindCase(
            .refundReversedNotRestored,
            nearMiss: World(receipts: [.answer(.pro(bought: -10))], rows: [.pro(isActive: false)]),
            nearVerdict: .found(.activeNotGranted)
        ) { cause in
            World(
                receipts: [.answer(.pro(bought: cause))], rows: [.pro(isActive: false)],
                history: [.refund(cancelled: -0.5)])
        },
        KindCase(
            .activeNotGranted,
            nearMiss: World(receipts: [.answer(.pro(bought: -30))], rows: [.pro(isActive: false)])
        ) { cause in World(receipts: [.answer(.pro(bought: cause))], rows: [.pro(isActive: false)])
        },
        KindCase(
            .graceNotGranted,
            nearMiss: World(
                receipts: [.answer(.pro(bought: -36), .renewal(.retry))],
                rows: [.pro(isActive: false)])
        ) { cause in
            World(
                receipts: [.answer(.pro(bought: cause - 30), .renewal(.grace(until: 5)))],
                rows: [.pro(isActive: false)])
        },
        KindCase(
            .ownedNotGranted,
            nearMiss: World(
                receipts: [.answer(.unlock(bought: -9, cancelled: -0.001))],
                rows: [.unlock(isActive: false)])
        ) { cause in
            World(receipts: [.answer(.unlock(bought: cause))], rows: [.unlock(isActive: false)])
        },
        KindCase(
            .freemiumPaidNotGranted,
            nearMiss: World(
                receipts: [.answer(version: "4.11")],
                rows: [.full(isActive: false, source: .legacyPaid)])
        ) { cause in
            World(
                receipts: [.answer(version: "4.9")],
                rows: [.full(isActive: false, changed: cause, source: .legacyPaid)])
        },
    ]

    private static let different: [KindCase] = [
        KindCase(
            .duplicateGrant,
            nearMiss: World(
                receipts: [.answer(.max(bought: -9))],
                rows: [.pro(until: 20), .max(until: 20, isActive: false)]),
            nearVerdict: .found(.upgradeNotApplied)
        ) { cause in
            World(
                receipts: [.answer(.max(bought: cause))], rows: [.pro(until: 20), .max(until: 20)])
        },
        KindCase(
            .upgradeNotApplied,
            nearMiss: World(receipts: [.answer(.yearly(bought: -9))], rows: [.pro(until: 20)]),
            nearVerdict: .found(.productMismatch)
        ) { cause in World(receipts: [.answer(.max(bought: cause))], rows: [.pro(until: 20)]) },
        KindCase(
            .downgradeNotApplied,
            nearMiss: World(receipts: [.answer(.plus(bought: -9))], rows: [.pro(until: 20)]),
            nearVerdict: .found(.productMismatch)
        ) { cause in World(receipts: [.answer(.lite(bought: cause))], rows: [.pro(until: 20)]) },
        KindCase(
            .productMismatch,
            nearMiss: World(receipts: [.answer(.pro(bought: -10))], rows: [.pro(until: 20)])
        ) { cause in World(receipts: [.answer(.yearly(bought: cause))], rows: [.pro(until: 20)]) },
        KindCase(
            .expiryMissing,
            nearMiss: World(receipts: [.answer(.unlock(bought: -9))], rows: [.unlock()])
        ) { cause in World(receipts: [.answer(.pro(bought: cause))], rows: [.pro()]) },
        KindCase(
            .expiryTooLate,
            nearMiss: World(
                receipts: [.answer(.pro(bought: -9))], rows: [.pro(until: 21 + seconds(60))])
        ) { cause in
            World(
                receipts: [.answer(.pro(bought: cause))],
                rows: [.pro(until: cause + 30 + seconds(61))])
        },
        KindCase(
            .expiryTooEarly,
            nearMiss: World(
                receipts: [.answer(.pro(bought: -9))], rows: [.pro(until: 21 - seconds(60))])
        ) { cause in
            World(
                receipts: [.answer(.pro(bought: cause))],
                rows: [.pro(until: cause + 30 - seconds(61))])
        },
        KindCase(
            .ownershipMismatch,
            nearMiss: World(
                receipts: [.answer(.pro(bought: -10, ownership: .purchased))],
                rows: [.pro(until: 20)])
        ) { cause in
            World(
                receipts: [.answer(.pro(bought: cause, ownership: .purchased))],
                rows: [.pro(until: cause + 30, ownership: .familyShared)])
        },
        KindCase(
            .labelStale,
            nearMiss: World(
                receipts: [.answer(.pro(bought: -10), .renewal())],
                rows: [.pro(until: 20, renews: true)])
        ) { cause in
            World(
                receipts: [.answer(.pro(bought: cause), .renewal(.off))],
                rows: [.pro(until: cause + 30, changed: cause, renews: true)])
        },
    ]
}

/// As a part of a day.
private func seconds(_ count: Double) -> Double { count / 86_400 }
