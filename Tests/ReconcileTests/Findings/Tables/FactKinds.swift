@testable import Reconcile

extension KindCase {
    /// Each kind on no row that one user's evidence shows. `SightingTests` has the others.
    static let facts = events + badReceipts + downloads

    private static let events: [KindCase] = [
        KindCase(
            .refundRecorded,
            nearMiss: World(receipts: [.answer(.coins(bought: -20, cancelled: 0.001))])
        ) { cause in World(receipts: [.answer(.coins(bought: -20, cancelled: cause))]) },
        KindCase(
            .familyRevocationRecorded,
            nearMiss: World(receipts: [
                .answer(
                    .pro(bought: -20, cancelled: -4, ownership: .familyShared, isUpgraded: true))
            ])
        ) { cause in
            World(receipts: [.answer(.pro(bought: -20, cancelled: cause, ownership: .familyShared))]
            )
        },
        KindCase(
            .refundReversed,
            nearMiss: World(
                receipts: [.answer(.pro(bought: -20, cancelled: 0.001))], rows: [.pro(until: 10)],
                history: [.refund(cancelled: 0.001)])
        ) { cause in
            World(
                receipts: [.answer(.pro(bought: -20))], rows: [.pro(until: 10)],
                history: [.refund(cancelled: cause)])
        },
        KindCase(
            .expired,
            nearMiss: World(receipts: [.answer(.pro(bought: -40))], rows: [.pro(until: 20)])
        ) { cause in World(receipts: [.answer(.pro(bought: cause - 30))]) },
    ]

    private static let badReceipts: [KindCase] = [
        KindCase(.receiptNotAuthentic, nearMiss: World(receipts: [.unchecked])) { _ in
            World(receipts: [.refused])
        },
        KindCase(.receiptAccountGone, nearMiss: World(receipts: [.unchecked])) { _ in
            World(receipts: [.accountGone])
        },
        KindCase(.receiptMalformed, nearMiss: World(receipts: [.unchecked])) { _ in
            World(receipts: [.malformed])
        },
        KindCase(.receiptIsJWS, nearMiss: World(receipts: [.unchecked])) { _ in
            World(receipts: [.jws])
        },
        KindCase(.receiptFromXcode, nearMiss: World(receipts: [.unchecked])) { _ in
            World(receipts: [.xcode])
        },
        KindCase(.receiptForOtherApp, nearMiss: World(receipts: [.answer()])) { _ in
            World(receipts: [.answer(saysApp: "other")])
        },
        KindCase(
            .implausibleDates, nearMiss: World(receipts: [.answer(.pro(bought: -10, until: 230))])
        ) { _ in World(receipts: [.answer(.pro(bought: -10, until: 230.001))]) },
        KindCase(.parseAnomaly, nearMiss: World(receipts: [.answer()])) { _ in
            World(receipts: [.answer(setAside: [.withoutProduct])])
        },
        KindCase(.receiptContradictsAnswer, nearMiss: World(receipts: [.answer()])) { _ in
            World(receipts: [.answer(contradictions: [.ofProduct])])
        },
        KindCase(
            .sourcesDisagree,
            nearMiss: World(receipts: [.answer(.pro(bought: -10)).also(.pro(bought: -10))])
        ) { _ in World(receipts: [.answer(.pro(bought: -10)).also(.pro(bought: -11))]) },
        KindCase(.transactionUnknown, nearMiss: World(receipts: [.unknown(stored: -3)])) { _ in
            World(receipts: [.unknown(stored: -3.001)])
        },
    ]

    private static let downloads: [KindCase] = [
        KindCase(
            .downloadKeyForRevokedProduct,
            nearMiss: World(
                receipts: [.answer(.unlock(bought: -20, cancelled: -2))],
                keys: [.key("unlock", isOver: true)])
        ) { _ in
            World(receipts: [.answer(.unlock(bought: -20, cancelled: -2))], keys: [.key("unlock")])
        },
        KindCase(
            .downloadKeyOrphaned,
            nearMiss: World(
                receipts: [.answer(.unlock(bought: -20))], keys: [.key("unlock"), .key("full")])
        ) { _ in World(receipts: [.answer(.unlock(bought: -20))], keys: [.key("other")]) },
        KindCase(
            .productNotUnlocked,
            nearMiss: World(
                receipts: [.answer(.unlock(bought: -20), .pro(bought: -20))],
                rows: [.pro(until: 10)], keys: [.key("unlock"), .key("pro.monthly", isUncut: true)])
        ) { _ in
            World(
                receipts: [.answer(.unlock(bought: -20), .pro(bought: -20))],
                rows: [.pro(until: 10)], keys: [.key("unlock")])
        },
    ]

    /// With the products that can be downloaded.
    static let judge: Judge = {
        var catalog = Catalog.acme
        catalog.downloadable = ["unlock", "pro.monthly"]
        return Judge(catalog)
    }()
}

extension StoredDownloadKey {
    /// A key in the first receipt. One that is `isUncut` unlocks nothing yet.
    static func key(
        _ product: ProductID, isOver: Bool = false, isUncut: Bool = false
    ) -> StoredDownloadKey {
        StoredDownloadKey(
            receipt: "r1", product: product, remoteProduct: "asset", key: isUncut ? nil : "key-1",
            expiresAt: .day(isOver ? 0 : 0.02))
    }
}
