@testable import AppStoreSimulator

/// The answers in `Tests/Fixtures/responses`: states of subscriptions and purchases, Apple's
/// irregularities, and malformed entries.
enum FixtureAnswers {
    /// The bytes by file name.
    static let all = Dictionary(
        uniqueKeysWithValues: (states + irregular + malformed + iOS6 + statuses).map {
            ("responses/\($0.name).json", $0.body)
        })

    private struct Answer {
        let name: String
        let body: [UInt8]

        init(_ name: String, text: String, bom: Bool = false) {
            self.name = name
            body = (bom ? [0xEF, 0xBB, 0xBF] : []) + Array(text.utf8)
        }

        /// - Parameter edits: texts that are replaced in the answer that Apple would have given.
        init(
            _ name: String, _ account: AppAccount, _ quirks: Set<AnswerQuirk> = [],
            excludesOld: Bool = false, edits: KeyValuePairs<String, String> = [:]
        ) {
            let latest = Array("bGF0ZXN0".utf8)
            let json =
                switch account.style {
                case .modern:
                    ModernAnswer(
                        account: account,
                        mark: ReceiptMark(seed: 1, customer: 1, account: 0, number: 1),
                        createdAt: .day(-3), now: .fixture, quirks: quirks,
                        excludesOld: excludesOld, latestReceipt: latest
                    ).json()
                case .iOS6:
                    OldAnswer(
                        account: account, createdAt: .day(-3), now: .fixture, quirks: quirks,
                        latestReceipt: latest
                    ).json()
                }
            var writer = JSONWriter(
                isSpaced: quirks.contains(.spacedOut),
                escapesSlashes: quirks.contains(.escapedSlashes))
            writer.write(json)
            var text = String(decoding: writer.bytes, as: UTF8.self)
            for (old, new) in edits {
                precondition(text.contains(old), "\(name) has no \(old)")
                text = text.replacing(old, with: new)
            }
            self.init(name, text: text, bom: quirks.contains(.byteOrderMark))
        }

        /// One subscription of one period.
        init(_ name: String, _ period: Purchase) { self.init(name, .atlas(.chain(period))) }
    }

    private static func failing(grace: Int?, until end: Int, givesUp: Int) -> AppAccount {
        .atlas(
            .chain(.period(201, from: end - 60), .period(202, from: end - 30), because: 2) {
                $0.failure = BillingFailure(
                    since: .day(end), graceUntil: grace.map(Moment.day), givesUpAt: .day(givesUp))
            })
    }

    private static func ended(because intent: Int?) -> AppAccount {
        .atlas(.chain(.period(211, from: -65), off: -50, because: intent))
    }

    private static let states = [
        Answer("subscriber", .subscriber),
        Answer("newcomer-without-purchases", .atlas()),
        Answer("trial", .period(221, from: -10) { $0.isTrial = true }),
        Answer("introductory-offer", .period(221, from: -10) { $0.isIntroductory = true }),
        Answer("promotional-offer", .period(221, from: -10) { $0.promotionalOffer = "winback" }),
        Answer("offer-code", .period(221, from: -10) { $0.offerCode = "Launch code" }),
        Answer("family-member", .period(221, from: -10, isShared: true)),
        Answer("family-left", .period(221, from: -10, refunded: -4, isShared: true)),
        Answer(
            "upgraded",
            .atlas(
                .chain(
                    .period(231, "plus.monthly", from: -10, refunded: -5) {
                        $0.upgradedAt = .day(-5)
                    }, .period(232, from: -5)))),
        Answer(
            "downgrading",
            .atlas(
                .chain(.period(241, from: -10)) {
                    $0.nextProduct = SimulatedApp.atlas.product("plus.monthly")
                })),
        Answer("not-renewing", .atlas(.chain(.period(251, from: -10), off: -2))),
        Answer("grace-period", failing(grace: 12, until: -4, givesUp: 56)),
        Answer("billing-retry", failing(grace: nil, until: -25, givesUp: 35)),
        Answer("billing-retry-ended", failing(grace: nil, until: -65, givesUp: -5)),
        Answer("ended-by-customer", ended(because: 1)),
        Answer("ended-price-refused", ended(because: 3)),
        Answer("ended-product-unavailable", ended(because: 4)),
        Answer("refunded", .refunded),
        Answer(
            "refunded-earlier-for-the-app",
            .atlas(
                .chain(
                    .period(261, from: -40, refunded: -35) { $0.isRefundedForTheApp = true },
                    .period(262, from: -10)))),
        Answer(
            "returned-after-a-gap",
            .atlas(.chain(.period(271, from: -200), .period(272, from: -10)))),
        Answer("collector", .collector),
        Answer(
            "shared-unlock-revoked",
            .atlas(purchases: [
                .once(281, "unlock", bought: -90, refunded: -9, isShared: true)
            ])),
        Answer("freemium-bought-when-paid", .pioneer),
        Answer("freemium-version-missing", .pioneer, [.noOriginalVersion]),
        Answer("volume-purchase", .volume),
        Answer("sandbox", .tester),
    ]

    private static let irregular = [
        Answer("oldest-first-latest-only", .collector, [.oldestFirst], excludesOld: true),
        Answer("shuffled", .collector, [.shuffledLists, .shuffledKeys, .noOwnership, .noGroup]),
        Answer(
            "numbers-and-booleans", .collector,
            [.numbersForStrings, .booleansForStrings, .numbersForIDs]),
        Answer(
            "fractions-and-status-text", .subscriber,
            [.fractionalMilliseconds, .statusAsString, .noEnvironment]),
        Answer("byte-order-mark", .subscriber, [.byteOrderMark, .nullDownloadID]),
        Answer(
            "spaced-and-escaped", .subscriber,
            [.spacedOut, .escapedSlashes, .unknownKeys, .accountToken, .itunesEnvironment]),
        Answer("refund-only-in-latest", .refunded, [.cancellationOnlyInLatest]),
        Answer("renewal-names-product-only", .subscriber, [.renewalWithoutChain]),
        Answer(
            "in-app-stale", .atlas(.chain(.period(291, from: -31), .period(292, from: -1))),
            [.staleInApp]),
    ]

    private static func twoPurchases(_ id: Int64) -> AppAccount {
        .atlas(purchases: [
            .once(id, "unlock", bought: -9), .once(id + 1, "coins", bought: -8),
        ])
    }

    private static let malformed = [
        Answer(
            "purchase-date-null",
            .atlas(AppAccount.subscriber.subscriptions[0]) { $0.isGarbled = true }),
        Answer(
            "expiry-impossible", .subscriber,
            edits: [
                #""2026-12-10 02:00:00 Etc/GMT","expires_date_ms":"1796868000000""#:
                    #""9999-99-99 99:99:99 Etc/GMT","expires_date_ms":"soon""#
            ]),
        Answer(
            "transaction-id-missing", twoPurchases(701),
            edits: [#""transaction_id":"480000000000702","#: ""]),
        Answer(
            "transaction-twice", twoPurchases(711), edits: ["480000000000712": "480000000000711"]),
        Answer(
            "entries-not-objects", .subscriber,
            edits: [#""in_app":["#: #""in_app":[7,"x",null,"#]),
        Answer(
            "renewals-null", .atlas(.chain(.period(721, from: -10))),
            edits: [#""pending_renewal_info":[{"#: #""pending_renewal_info":null,"x":[{"#]),
        Answer(
            "latest-as-one-object", .atlas(.chain(.period(731, from: -10))),
            edits: [
                #""latest_receipt_info":[{"#: #""latest_receipt_info":{"#,
                #"}],"latest_receipt":"#: #"},"latest_receipt":"#,
            ]),
        Answer(
            "zero-milliseconds", .atlas(purchases: [.once(741, "unlock", bought: -9)]),
            edits: [
                #""purchase_date_ms":"1794362400000""#: #""purchase_date_ms": "0000000000000""#
            ]),
    ]

    private static let iOS6 = [
        Answer("ios6-subscriber", .iOS6(.chain(.period(801, from: -40), .period(802, from: -10)))),
        Answer(
            "ios6-three-forms", .iOS6(.chain(.period(811, from: -10))),
            [.expiryInThreeForms, .vendorIdentifier]),
        Answer("ios6-expired", .iOS6(.chain(.period(821, from: -60), off: -40, because: 1))),
        Answer("ios6-refunded", .iOS6(.chain(.period(831, from: -10, refunded: -5)))),
    ]

    /// Statuses of an answer without a receipt, with what else Apple sends; and one with a receipt.
    private static let statuses =
        [
            (21_000, ""), (21_002, #","exception":"java.lang.IllegalArgumentException""#),
            (21_003, ""), (21_004, #","environment":"Production""#), (21_005, ""), (21_007, ""),
            (21_008, ""), (21_009, #","is_retryable":true"#),
            (21_010, #","environment":"Production","is-retryable":false"#),
            (21_199, #","is-retryable":true"#),
        ].map { Answer("status-\($0)", text: #"{"status":\#($0)\#($1)}"#) } + [
            Answer(
                "status-21003-with-receipt", .volume, edits: [#""status":0"#: #""status":21003"#])
        ]
}
