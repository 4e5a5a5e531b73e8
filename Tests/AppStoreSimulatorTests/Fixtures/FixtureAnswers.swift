@testable import AppStoreSimulator

/// The answers in `Tests/Fixtures/responses`: states of subscriptions and purchases, Apple's
/// irregularities, and malformed entries.
enum FixtureAnswers {
    /// The bytes by file name.
    static let all = Dictionary(
        uniqueKeysWithValues: (states + irregular + malformed + iOS6 + statuses).map {
            ("responses/\($0.name).json", $0.body)
        })

    private typealias Account = FixtureAccount

    private struct Answer {
        let name: String
        let body: [UInt8]

        init(_ name: String, text: String) { (self.name, body) = (name, Array(text.utf8)) }

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
                        createdAt: Account.createdAt, now: Account.now, quirks: quirks,
                        excludesOld: excludesOld, latestReceipt: latest
                    ).json()
                case .iOS6:
                    OldAnswer(
                        account: account, createdAt: Account.createdAt, now: Account.now,
                        quirks: quirks, latestReceipt: latest
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
            self.name = name
            body = (quirks.contains(.byteOrderMark) ? [0xEF, 0xBB, 0xBF] : []) + Array(text.utf8)
        }
    }

    private static func failing(grace: Int?, until end: Int, givesUp: Int) -> AppAccount {
        Account.atlas(
            Account.chain(
                Account.period(201, from: end - 60), Account.period(202, from: end - 30),
                renewal: {
                    $0.intent = 2
                    $0.failure = BillingFailure(
                        since: Account.day(end), graceUntil: grace.map(Account.day),
                        givesUpAt: Account.day(givesUp))
                }))
    }

    private static func ended(because intent: Int?) -> AppAccount {
        Account.atlas(
            Account.chain(
                Account.period(211, from: -65),
                renewal: {
                    $0.turnedOffAt = Account.day(-50)
                    $0.intent = intent
                }))
    }

    private static func changed(_ change: (inout Purchase) -> Void) -> AppAccount {
        Account.atlas(
            Account.chain(Account.period(221, from: -10, change: change)))
    }

    private static let states = [
        Answer("subscriber", Account.subscriber),
        Answer("newcomer-without-purchases", Account.atlas()),
        Answer("trial", changed { $0.isTrial = true }),
        Answer("introductory-offer", changed { $0.isIntroductory = true }),
        Answer("promotional-offer", changed { $0.promotionalOffer = "winback" }),
        Answer("offer-code", changed { $0.offerCode = "Launch code" }),
        Answer("family-member", changed { $0.isShared = true }),
        Answer(
            "family-left",
            changed {
                $0.isShared = true
                $0.cancelledAt = Account.day(-4)
            }),
        Answer(
            "upgraded",
            Account.atlas(
                Account.chain(
                    Account.period(231, "plus.monthly", from: -10) {
                        $0.upgradedAt = Account.day(-5)
                        $0.cancelledAt = Account.day(-5)
                    }, Account.period(232, from: -5)))),
        Answer(
            "downgrading",
            Account.atlas(
                Account.chain(
                    Account.period(241, from: -10),
                    renewal: { $0.nextProduct = SimulatedApp.atlas.product("plus.monthly") }))),
        Answer(
            "not-renewing",
            Account.atlas(
                Account.chain(
                    Account.period(251, from: -10),
                    renewal: { $0.turnedOffAt = Account.day(-2) }))),
        Answer("grace-period", failing(grace: 12, until: -4, givesUp: 56)),
        Answer("billing-retry", failing(grace: nil, until: -25, givesUp: 35)),
        Answer("billing-retry-ended", failing(grace: nil, until: -65, givesUp: -5)),
        Answer("ended-by-customer", ended(because: 1)),
        Answer("ended-price-refused", ended(because: 3)),
        Answer("ended-product-unavailable", ended(because: 4)),
        Answer("refunded", Account.refunded),
        Answer(
            "refunded-earlier-for-the-app",
            Account.atlas(
                Account.chain(
                    Account.period(261, from: -40) {
                        $0.cancelledAt = Account.day(-35)
                        $0.isRefundedForTheApp = true
                    }, Account.period(262, from: -10)))),
        Answer(
            "returned-after-a-gap",
            Account.atlas(
                Account.chain(Account.period(271, from: -200), Account.period(272, from: -10)))),
        Answer("collector", Account.collector),
        Answer(
            "shared-unlock-revoked",
            Account.atlas(purchases: [
                Account.once(281, "unlock", bought: -90, refunded: -9, isShared: true)
            ])),
        Answer("freemium-bought-when-paid", Account.pioneer),
        Answer("freemium-version-missing", Account.pioneer, [.noOriginalVersion]),
        Answer("volume-purchase", Account.volume),
        Answer("sandbox", Account.tester),
    ]

    private static let irregular = [
        Answer("oldest-first-latest-only", Account.collector, [.oldestFirst], excludesOld: true),
        Answer(
            "shuffled", Account.collector, [.shuffledLists, .shuffledKeys, .noOwnership, .noGroup]),
        Answer(
            "numbers-and-booleans", Account.collector,
            [.numbersForStrings, .booleansForStrings, .numbersForIDs]),
        Answer(
            "fractions-and-status-text", Account.subscriber,
            [.fractionalMilliseconds, .statusAsString, .noEnvironment]),
        Answer("byte-order-mark", Account.subscriber, [.byteOrderMark, .nullDownloadID]),
        Answer(
            "spaced-and-escaped", Account.subscriber,
            [.spacedOut, .escapedSlashes, .unknownKeys, .accountToken, .itunesEnvironment]),
        Answer("refund-only-in-latest", Account.refunded, [.cancellationOnlyInLatest]),
        Answer("renewal-names-product-only", Account.subscriber, [.renewalWithoutChain]),
        Answer(
            "in-app-stale",
            Account.atlas(
                Account.chain(Account.period(291, from: -31), Account.period(292, from: -1))),
            [.staleInApp]),
    ]

    private static let malformed = [
        Answer(
            "purchase-date-null",
            Account.atlas(Account.subscriber.subscriptions[0]) {
                $0.isGarbled = true
            }),
        Answer(
            "expiry-impossible", Account.subscriber,
            edits: [
                #""expires_date":"2026-12-10 02:00:00 Etc/GMT","expires_date_ms":"1796868000000""#:
                    #""expires_date":"9999-99-99 99:99:99 Etc/GMT","expires_date_ms":"soon""#
            ]),
        Answer(
            "transaction-id-missing",
            Account.atlas(purchases: [
                Account.once(701, "unlock", bought: -9), Account.once(702, "coins", bought: -8),
            ]), edits: [#""transaction_id":"480000000000702","#: ""]),
        Answer(
            "transaction-twice",
            Account.atlas(purchases: [
                Account.once(711, "unlock", bought: -9), Account.once(712, "coins", bought: -8),
            ]), edits: ["480000000000712": "480000000000711"]),
        Answer(
            "entries-not-objects", Account.subscriber,
            edits: [#""in_app":["#: #""in_app":[7,"x",null,"#]),
        Answer(
            "renewals-null",
            Account.atlas(
                Account.chain(Account.period(721, from: -10))),
            edits: [#""pending_renewal_info":[{"#: #""pending_renewal_info":null,"x":[{"#]),
        Answer(
            "latest-as-one-object", Account.atlas(Account.chain(Account.period(731, from: -10))),
            edits: [
                #""latest_receipt_info":[{"#: #""latest_receipt_info":{"#,
                #"}],"latest_receipt":"#: #"},"latest_receipt":"#,
            ]),
        Answer(
            "zero-milliseconds",
            Account.atlas(purchases: [
                Account.once(741, "unlock", bought: -9)
            ]),
            edits: [
                #""purchase_date_ms":"1794362400000""#:
                    #""purchase_date_ms": "0000000000000""#
            ]
        ),
    ]

    private static let iOS6 = [
        Answer(
            "ios6-subscriber",
            Account.iOS6(
                Account.chain(Account.period(801, from: -40), Account.period(802, from: -10)))),
        Answer(
            "ios6-three-forms", Account.iOS6(Account.chain(Account.period(811, from: -10))),
            [.expiryInThreeForms, .vendorIdentifier]),
        Answer(
            "ios6-expired",
            Account.iOS6(
                Account.chain(
                    Account.period(821, from: -60),
                    renewal: {
                        $0.turnedOffAt = Account.day(-40)
                        $0.intent = 1
                    }))),
        Answer(
            "ios6-refunded",
            Account.iOS6(
                Account.chain(
                    Account.period(831, from: -10) { $0.cancelledAt = Account.day(-5) }))),
    ]

    /// Statuses of an answer without a receipt, with what else Apple sends.
    private static let statuses =
        [
            (21_000, ""), (21_002, #","exception":"java.lang.IllegalArgumentException""#),
            (21_003, ""), (21_004, #","environment":"Production""#), (21_005, ""), (21_007, ""),
            (21_008, ""), (21_009, #","is_retryable":true"#),
            (21_010, #","environment":"Production","is-retryable":false"#),
            (21_199, #","is-retryable":true"#),
        ].map { Answer("status-\($0)", text: #"{"status":\#($0)\#($1)}"#) }
        + [
            Answer(
                "status-21003-with-receipt", Account.volume,
                edits: [#""status":0"#: #""status":21003"#])
        ]
}
