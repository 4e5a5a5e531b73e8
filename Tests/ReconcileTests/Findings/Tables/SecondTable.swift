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
    let settles: Bool

    var testDescription: String { kind.rawValue }

    init(
        _ kind: FindingKind, _ world: @escaping @Sendable (Double) -> FactWorld,
        nearly: FactWorld, settles: Bool = false
    ) {
        self.kind = kind
        self.world = world
        self.nearly = nearly
        self.settles = settles
    }
}

struct FactWorld: Sendable {
    var receipts: [ReceiptEvidence]
    var rows: [StoredEntitlement] = []
    var history = UserHistory()
    var keys: [StoredDownloadKey] = []

    init(
        _ receipts: [ReceiptEvidence], rows: [StoredEntitlement] = [],
        keys: [StoredDownloadKey] = [], refunded day: Double? = nil
    ) {
        self.receipts = receipts
        self.rows = rows
        self.keys = keys
        if let day { history = UserHistory([.refund("1", cancelled: day)]) }
    }

    var judgement: Judgement {
        var evidence = UserEvidence(user: "u", receipts: receipts, entitlements: rows)
        evidence.downloadKeys = keys
        var catalog = Judge.acme.catalog
        catalog.downloadable = ["unlock", "pro.monthly"]
        return Judge(catalog: catalog, settings: Judge.acme.settings)
            .judgement(of: evidence, history: history)
    }
}

extension Fact {
    static let all = events + ofReceipts + ofAnswers + ofDownloadKeys

    private static let unlock = answers(.once("1", "unlock", bought: -20))
    private static let refunded = answers(.once("1", "unlock", bought: -20, cancelled: -2))
    private static let both = answers(.once("1", "unlock", bought: -20), .monthly(bought: -20))
    private static let key = StoredDownloadKey.cut(for: "unlock", ends: 0.02)
    private static let none = StoredDownloadKey.cut(nil, for: "pro.monthly", ends: 0.02)

    private static let ofDownloadKeys: [Fact] = [
        Fact(
            .downloadKeyForRevokedProduct, { _ in FactWorld(refunded, keys: [key]) },
            nearly: FactWorld(refunded, keys: [.cut(for: "unlock", ends: 0)])),
        Fact(
            .downloadKeyOrphaned,
            { _ in FactWorld(unlock, keys: [.cut(for: "other", ends: 0.02)]) },
            nearly: FactWorld(unlock, keys: [key])),
        Fact(
            .productNotUnlocked,
            { _ in FactWorld(both, rows: [.row(expires: 10)], keys: [key]) },
            nearly: FactWorld(both, rows: [.row(expires: 10)], keys: [key, none])),
    ]

    private static let events: [Fact] = [
        Fact(
            .refundRecorded,
            { FactWorld(answers(.once("1", "coins", bought: -20, cancelled: $0))) },
            nearly: FactWorld(answers(.once("1", "coins", bought: -20, cancelled: 0.001)))),
        Fact(
            .familyRevocationRecorded,
            { FactWorld(answers(.monthly(bought: -20, cancelled: $0, isFamilyShared: true))) },
            nearly: FactWorld(
                answers(
                    .monthly(bought: -20, cancelled: -4, isUpgraded: true, isFamilyShared: true)))),
        Fact(
            .refundReversed,
            { day in
                FactWorld(
                    answers(.monthly(bought: -20)), rows: [.row(expires: 10)], refunded: day)
            },
            nearly: FactWorld(
                answers(.monthly(bought: -20, cancelled: 0.001)), rows: [.row(expires: 10)],
                refunded: 0.001)),
        Fact(
            .expired, { FactWorld(answers(.monthly(bought: $0 - 30))) },
            nearly: FactWorld(answers(.monthly(bought: -40)), rows: [.row(expires: 20)]),
            settles: true),
    ]

    private static let ofReceipts: [Fact] = [
        (.receiptNotAuthentic, .rejected(.notAuthentic)),
        (.receiptAccountGone, .rejected(.accountGone)),
        (.receiptMalformed, .unusable(.notAReceipt)),
        (.receiptIsJWS, .unusable(.jws)),
        (.receiptFromXcode, .unusable(.xcode)),
    ].map { kind, validation in
        Fact(
            kind, { _ in FactWorld([.stored(validation)]) },
            nearly: FactWorld([.stored(.unverified(.timeout))]))
    }

    private static let ofAnswers: [Fact] = [
        Fact(
            .receiptForOtherApp, { _ in FactWorld(verified(.showing(bundle: "other"))) },
            nearly: FactWorld(answers())),
        Fact(
            .implausibleDates,
            { _ in FactWorld(answers(.monthly(bought: -10, days: 240.001))) },
            nearly: FactWorld(answers(.monthly(bought: -10, days: 240)))),
        Fact(
            .parseAnomaly, { _ in FactWorld(verified(.showing(anomalies: [anomaly]))) },
            nearly: FactWorld(answers())),
        Fact(
            .receiptContradictsAnswer,
            { _ in
                var evidence = ReceiptEvidence.stored(.verified(.showing()))
                evidence.contradictions = [.bundle(signed: "acme.old")]
                return FactWorld([evidence])
            },
            nearly: FactWorld(answers())),
    ]
}
