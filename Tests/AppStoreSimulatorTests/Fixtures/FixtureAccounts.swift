@testable import AppStoreSimulator

extension FixtureAccount {
    private static let plain = [Subscription.chain(.month(101, -40), .month(102, -10))]

    private static let collected = [
        Subscription.chain(.month(301, -70), .month(302, -40), .month(303, -10)),
        .chain(.period("weekly", 311, -2, days: 7)),
    ]

    private static let collection: [Purchase] = [
        .once("unlock", 321, -200), .once("coins", 322, -100), .once("pass", 323, -20),
        .once("coins", 324, -50) { $0.cancelledAt = .day(-48) },
    ]

    private static let refunded = [
        Subscription.chain(
            .month(401, -40), .month(402, -10) { $0.cancelledAt = .day(-5) },
            renewal: .off(-5, intent: 1))
    ]

    static let subscribers = [
        "subscriber": FixtureAccount(plain),
        "newcomer-without-purchases": FixtureAccount(),
        "trial": FixtureAccount([.chain(.month(221, -10) { $0.isTrial = true })]),
        "introductory-offer": FixtureAccount([
            .chain(.month(221, -10) { $0.isIntroductory = true })
        ]),
        "promotional-offer": FixtureAccount([
            .chain(.month(221, -10) { $0.promotionalOffer = "winback" })
        ]),
        "offer-code": FixtureAccount([.chain(.month(221, -10) { $0.offerCode = "Launch code" })]),
        "family-member": FixtureAccount([.chain(.month(221, -10) { $0.isShared = true })]),
        "family-left": FixtureAccount([
            .chain(
                .month(221, -10) {
                    $0.cancelledAt = .day(-4)
                    $0.isShared = true
                })
        ]),
        "upgraded": FixtureAccount([
            .chain(
                .period("plus.monthly", 231, -10) {
                    $0.cancelledAt = .day(-5)
                    $0.upgradedAt = .day(-5)
                }, .month(232, -5))
        ]),
        "refunded": FixtureAccount(refunded),
        "refunded-earlier-for-the-app": FixtureAccount([
            .chain(
                .month(261, -40) {
                    $0.cancelledAt = .day(-35)
                    $0.isRefundedForTheApp = true
                }, .month(262, -10))
        ]),
        "returned-after-a-gap": FixtureAccount([.chain(.month(271, -200), .month(272, -10))]),
    ]

    static let renewals = [
        "downgrading": FixtureAccount([
            .chain(
                .month(241, -10),
                renewal: Renewal(nextProduct: SimulatedApp.atlas.product("plus.monthly")))
        ]),
        "not-renewing": FixtureAccount([.chain(.month(251, -10), renewal: .off(-2))]),
        "grace-period": FixtureAccount([
            .chain(
                .month(201, -64), .month(202, -34),
                renewal: .failing(since: -4, grace: 12, until: 56))
        ]),
        "billing-retry": FixtureAccount([
            .chain(.month(201, -85), .month(202, -55), renewal: .failing(since: -25, until: 35))
        ]),
        "billing-retry-ended": FixtureAccount([
            .chain(.month(201, -125), .month(202, -95), renewal: .failing(since: -65, until: -5))
        ]),
        "ended-by-customer": FixtureAccount([
            .chain(.month(211, -65), renewal: .off(-50, intent: 1))
        ]),
        "ended-price-refused": FixtureAccount([
            .chain(.month(211, -65), renewal: .off(-50, intent: 3))
        ]),
        "ended-product-unavailable": FixtureAccount([
            .chain(.month(211, -65), renewal: .off(-50, intent: 4))
        ]),
    ]

    static let buyers = [
        "collector": FixtureAccount(collected, purchases: collection),
        "shared-unlock-revoked": FixtureAccount(purchases: [
            .once("unlock", 281, -90) {
                $0.cancelledAt = .day(-9)
                $0.isShared = true
            }
        ]),
        "freemium-bought-when-paid": FixtureAccount { $0.account.originalVersion = "98" },
        "freemium-version-missing": FixtureAccount(quirks: [.noOriginalVersion]) {
            $0.account.originalVersion = "98"
        },
        "volume-purchase": FixtureAccount(purchases: [.once("unlock", 601, -100)]) {
            $0.account.isVolume = true
        },
        "sandbox": FixtureAccount([.chain(.month(501, -1))]) {
            $0.account.originalVersion = "1.0"
            $0.account.isSandbox = true
        },
    ]

    static let irregular = [
        "oldest-first-latest-only": FixtureAccount(
            collected, purchases: collection, quirks: [.oldestFirst]
        ) { $0.excludesOld = true },
        "shuffled": FixtureAccount(
            collected, purchases: collection,
            quirks: [.shuffledLists, .shuffledKeys, .noOwnership, .noGroup]),
        "numbers-and-booleans": FixtureAccount(
            collected, purchases: collection,
            quirks: [.numbersForStrings, .booleansForStrings, .numbersForIDs]),
        "fractions-and-status-text": FixtureAccount(
            plain, quirks: [.fractionalMilliseconds, .statusAsString, .noEnvironment]),
        "byte-order-mark": FixtureAccount(plain, quirks: [.byteOrderMark, .nullDownloadID]),
        "spaced-and-escaped": FixtureAccount(
            plain,
            quirks: [.spacedOut, .escapedSlashes, .unknownKeys, .accountToken, .itunesEnvironment]),
        "refund-only-in-latest": FixtureAccount(refunded, quirks: [.cancellationOnlyInLatest]),
        "renewal-names-product-only": FixtureAccount(plain, quirks: [.renewalWithoutChain]),
        "in-app-stale": FixtureAccount(
            [.chain(.month(291, -31), .month(292, -1))], quirks: [.staleInApp]),
    ]

    private static func iOS6(
        _ subscription: Subscription, quirks: Set<AnswerQuirk> = []
    ) -> FixtureAccount {
        FixtureAccount([subscription], quirks: quirks) { $0.account.style = .iOS6 }
    }

    static let old = [
        "ios6-subscriber": iOS6(.chain(.month(801, -40), .month(802, -10))),
        "ios6-three-forms": iOS6(
            .chain(.month(811, -10)), quirks: [.expiryInThreeForms, .vendorIdentifier]),
        "ios6-expired": iOS6(.chain(.month(821, -60), renewal: .off(-40, intent: 1))),
        "ios6-refunded": iOS6(.chain(.month(831, -10) { $0.cancelledAt = .day(-5) })),
    ]

    static let malformed = [
        "purchase-date-null": FixtureAccount(plain) { $0.account.isGarbled = true },
        "expiry-impossible": FixtureAccount(
            plain,
            edits: [
                Edit(
                    #""2026-12-10 02:00:00 Etc/GMT","expires_date_ms":"1796868000000""#,
                    #""9999-99-99 99:99:99 Etc/GMT","expires_date_ms":"soon""#)
            ]),
        "transaction-id-missing": FixtureAccount(
            purchases: [.once("unlock", 701, -9), .once("coins", 702, -8)],
            edits: [Edit(#""transaction_id":"480000000000702","#, "")]),
        "transaction-twice": FixtureAccount(
            purchases: [.once("unlock", 711, -9), .once("coins", 712, -8)],
            edits: [Edit("480000000000712", "480000000000711")]),
        "entries-not-objects": FixtureAccount(
            plain, edits: [Edit(#""in_app":["#, #""in_app":[7,"x",null,"#)]),
        "renewals-null": FixtureAccount(
            [.chain(.month(721, -10))],
            edits: [
                Edit(
                    #""pending_renewal_info":[{"#, #""pending_renewal_info":null,"x":[{"#)
            ]),
        "latest-as-one-object": FixtureAccount(
            [.chain(.month(731, -10))],
            edits: [
                Edit(#""latest_receipt_info":[{"#, #""latest_receipt_info":{"#),
                Edit(#"}],"latest_receipt":"#, #"},"latest_receipt":"#),
            ]),
        "zero-milliseconds": FixtureAccount(
            purchases: [.once("unlock", 741, -9)],
            edits: [
                Edit(
                    #""purchase_date_ms":"1794362400000""#,
                    #""purchase_date_ms": "0000000000000""#)
            ]),
        "status-21003-with-receipt": FixtureAccount(
            purchases: [.once("unlock", 601, -100)],
            edits: [Edit(#""status":0"#, #""status":21003"#)]
        ) { $0.account.isVolume = true },
    ]
}
