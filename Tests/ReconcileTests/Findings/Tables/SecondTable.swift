import Testing

@testable import Reconcile

/// One entry for each line of SPEC §5's second table that one user's evidence shows. `Sightings`
/// tests the lines that need several users.
struct Fact: Sendable, CustomTestStringConvertible {
    let kind: FindingKind
    /// The smallest world that shows it, with its event that many days from the instant of
    /// judgement.
    let world: @Sendable (_ day: Double) -> FactWorld
    /// The nearest world that does not show it.
    let nearly: FactWorld
    /// The table gives the line a cause.
    var settles = false

    var testDescription: String { kind.rawValue }
}

struct FactWorld: Sendable {
    var receipts: [ReceiptEvidence]
    var rows: [StoredEntitlement] = []
    var history = UserHistory()
    var keys: [StoredDownloadKey] = []

    var judgement: Judgement {
        var evidence = UserEvidence(user: "u", receipts: receipts, entitlements: rows)
        evidence.downloadKeys = keys
        var catalog = Judge.acme.catalog
        catalog.downloadable = ["unlock", "pro.monthly"]
        return Judge(catalog: catalog, settings: Judge.acme.settings)
            .judgement(of: evidence, history: history)
    }

    func with(
        receipts: [ReceiptEvidence] = [], rows: [StoredEntitlement] = []
    ) -> FactWorld {
        FactWorld(
            receipts: self.receipts + receipts, rows: self.rows + rows, history: history,
            keys: keys)
    }
}

extension Fact {
    static let all = events + ofReceipts + ofAnswers + ofDownloadKeys

    private static let ofDownloadKeys: [Fact] = [
        Fact(
            kind: .downloadKeyForRevokedProduct,
            world: { _ in
                FactWorld(
                    receipts: answers(.once("1", "unlock", bought: -20, cancelled: -2)),
                    keys: [.cut(for: "unlock", ends: 0.02)])
            },
            nearly: FactWorld(
                receipts: answers(.once("1", "unlock", bought: -20, cancelled: -2)),
                keys: [.cut(for: "unlock", ends: 0)])),
        Fact(
            kind: .downloadKeyOrphaned,
            world: { _ in
                FactWorld(
                    receipts: answers(.once("1", "unlock", bought: -20)),
                    keys: [.cut(for: "other", ends: 0.02)])
            },
            nearly: FactWorld(
                receipts: answers(.once("1", "unlock", bought: -20)),
                keys: [.cut(for: "unlock", ends: 0.02)])),
        Fact(
            kind: .productNotUnlocked,
            world: { _ in
                FactWorld(
                    receipts: answers(
                        .once("1", "unlock", bought: -20), .monthly(bought: -20)),
                    rows: [.row(expires: 10)], keys: [.cut(for: "unlock", ends: 0.02)])
            },
            nearly: FactWorld(
                receipts: answers(
                    .once("1", "unlock", bought: -20), .monthly(bought: -20)),
                rows: [.row(expires: 10)],
                keys: [
                    .cut(for: "unlock", ends: 0.02),
                    .cut(nil, for: "pro.monthly", ends: 0.02),
                ])),
    ]

    private static let events: [Fact] = [
        Fact(
            kind: .refundRecorded,
            world: { day in
                FactWorld(receipts: answers(.once("1", "coins", bought: -20, cancelled: day)))
            },
            nearly: FactWorld(
                receipts: answers(.once("1", "coins", bought: -20, cancelled: 0.001)))),
        Fact(
            kind: .familyRevocationRecorded,
            world: { day in
                FactWorld(
                    receipts: answers(
                        .monthly(bought: -20, cancelled: day, isFamilyShared: true)))
            },
            nearly: FactWorld(
                receipts: answers(
                    .monthly(bought: -20, cancelled: -4, isUpgraded: true, isFamilyShared: true)))),
        Fact(
            kind: .refundReversed,
            world: { day in
                FactWorld(
                    receipts: answers(.monthly(bought: -20)), rows: [.row(expires: 10)],
                    history: refunded(day))
            },
            nearly: FactWorld(
                receipts: answers(.monthly(bought: -20, cancelled: 0.001)),
                rows: [.row(expires: 10)], history: refunded(0.001))),
        Fact(
            kind: .expired,
            world: { day in FactWorld(receipts: answers(.monthly(bought: day - 30))) },
            nearly: FactWorld(
                receipts: answers(.monthly(bought: -40)), rows: [.row(expires: 20)]),
            settles: true),
    ]

    private static func refunded(_ day: Double) -> UserHistory {
        UserHistory([.refund("1", cancelled: day)])
    }

    private static let ofReceipts: [Fact] = [
        (.receiptNotAuthentic, .rejected(.notAuthentic)),
        (.receiptAccountGone, .rejected(.accountGone)),
        (.receiptMalformed, .unusable(.notAReceipt)),
        (.receiptIsJWS, .unusable(.jws)),
        (.receiptFromXcode, .unusable(.xcode)),
    ].map { kind, validation in
        Fact(
            kind: kind, world: { _ in FactWorld(receipts: [.stored(validation)]) },
            nearly: FactWorld(receipts: [.stored(.unverified(.timeout))]))
    }

    private static let ofAnswers: [Fact] = [
        Fact(
            kind: .receiptForOtherApp,
            world: { _ in FactWorld(receipts: [.stored(.verified(.showing(bundle: "other")))]) },
            nearly: FactWorld(receipts: answers())),
        Fact(
            kind: .implausibleDates,
            world: { _ in
                FactWorld(receipts: answers(.monthly(bought: -10, days: 240.001)))
            },
            nearly: FactWorld(receipts: answers(.monthly(bought: -10, days: 240)))),
        Fact(
            kind: .parseAnomaly,
            world: { _ in
                FactWorld(receipts: [
                    .stored(.verified(.showing(anomalies: [ParseAnomaly(key: "product_id")])))
                ])
            },
            nearly: FactWorld(receipts: answers())),
        Fact(
            kind: .receiptContradictsAnswer,
            world: { _ in
                var evidence = ReceiptEvidence.stored(.verified(.showing()))
                evidence.contradictions = [.bundle(signed: "acme.old")]
                return FactWorld(receipts: [evidence])
            },
            nearly: FactWorld(receipts: answers())),
    ]
}
