import Testing

@testable import Reconcile

/// A finding of the last run, and a new run that does not find it again.
struct OpenCase: Sendable, CustomTestStringConvertible {
    /// A finding and its evidence.
    struct Past: Sendable {
        let name: String
        let kind: FindingKind
        var receipts: [ReceiptEvidence] = []
        var rows: [StoredEntitlement] = []
    }

    let was: Past
    let when: String
    /// The evidence of the new run.
    let receipts: [ReceiptEvidence]
    let rows: [StoredEntitlement]
    var unreadable: Set<EntitlementID> = []
    var invalidReceipts = 0

    var testDescription: String { "\(was.name), \(when)" }

    init(
        _ was: Past, _ when: String, _ receipts: [ReceiptEvidence] = [],
        _ rows: StoredEntitlement..., unreadable: Set<EntitlementID> = [], invalidReceipts: Int = 0
    ) {
        self.was = was
        self.when = when
        self.receipts = receipts
        self.rows = rows
        self.unreadable = unreadable
        self.invalidReceipts = invalidReceipts
    }

    /// Whether `judge`, who does not find it again, clears the finding.
    func isCleared(by judge: Judge) throws -> Bool {
        let finding = try Judge.acme.judgement(of: was.receipts, was.rows).only(was.kind)
        let tonight = UserEvidence(
            user: "u", receipts: receipts, invalidReceipts: invalidReceipts, entitlements: rows,
            invalidEntitlements: unreadable.count, unreadableEntitlements: unreadable)
        let judgement = judge.judgement(of: tonight, history: UserHistory([.of(finding)]))
        #expect(!judgement.findings.map(\.identity.id).contains(finding.identity.id))
        return !judgement.unjudged.contains(finding.identity.id)
    }
}

extension OpenCase {
    static let ended = answers(.monthly(bought: -40))
    static let running = answers(.monthly(bought: -10))
    static let silent = [ReceiptEvidence.stored(.unverified(.timeout))]
    static let upgraded = answers(.monthly("1", of: "1", "max.monthly", bought: -10))
    static let early = StoredEntitlement.row(expires: 5)
    static let granted = StoredEntitlement.row(expires: 20)
    static let taken = StoredEntitlement.row(isActive: false)
    static let inFlux = StoredEntitlement.row(isActive: false, updated: 0.1)
    static let gift = StoredEntitlement.row(expires: 20, source: .other("promo"))
    static let premium = StoredEntitlement.row("e1", "full", source: .legacyPaid)
    static let noPremium = StoredEntitlement.row("e1", "full", isActive: false, source: .legacyPaid)
}

extension OpenCase.Past {
    typealias This = OpenCase

    static let leak = Self(
        name: "a leak", kind: .expiredStillGranted, receipts: This.ended, rows: [This.granted])
    static let refund = Self(
        name: "a leak by a refund", kind: .refundedStillGranted,
        receipts: answers(.monthly(bought: -10, cancelled: -5)), rows: [This.granted])
    static let bare = Self(
        name: "a grant without a receipt", kind: .grantWithoutReceipt, rows: [This.granted])
    static let unpaid = Self(
        name: "a grant of an unpaid app", kind: .freemiumGrantedNotPaid, receipts: got("5.0"),
        rows: [This.premium])
    static let debt = Self(
        name: "a debt on a row", kind: .activeNotGranted, receipts: This.running,
        rows: [This.taken])
    static let rowless = Self(
        name: "a debt without a row", kind: .activeNotGranted, receipts: This.running)
    static let paid = Self(
        name: "a paid app's owed right", kind: .freemiumPaidNotGranted, receipts: got("4.0"),
        rows: [This.noPremium])
    static let rowlessPaid = Self(
        name: "a paid app's owed right without a row", kind: .freemiumPaidNotGranted,
        receipts: got("4.0"))
    static let early = Self(
        name: "an early expiry", kind: .expiryTooEarly, receipts: This.running, rows: [This.early])
    static let level = Self(
        name: "a level", kind: .upgradeNotApplied, receipts: This.upgraded, rows: [This.granted])
    static let malformed = Self(
        name: "a bad receipt", kind: .receiptMalformed,
        receipts: [.stored(.unusable(.notAReceipt))])
    static let rejected = Self(
        name: "a rejected receipt", kind: .receiptNotAuthentic,
        receipts: [.stored(.rejected(.notAuthentic))])
    static let gone = Self(
        name: "a receipt of a deleted account", kind: .receiptAccountGone,
        receipts: [.stored(.rejected(.accountGone))])
}

@Suite("An open finding that is not found again")
struct OpenFindingsTests {
    private static let (ended, running) = (OpenCase.ended, OpenCase.running)
    private static let (silent, granted) = (OpenCase.silent, OpenCase.granted)
    private static let (taken, early) = (OpenCase.taken, OpenCase.early)

    /// An answer with a line that was set aside.
    private static func hiding(_ shown: Transaction...) -> [ReceiptEvidence] {
        var receipt = Receipt.showing(shown)
        receipt.anomalies = [ParseAnomaly(key: "purchase_date", transaction: "1")]
        return verified(receipt)
    }

    private static let dates = OpenCase.Past(
        name: "odd dates", kind: .implausibleDates,
        receipts: answers(.monthly(bought: -10, days: 300)))
    private static let lineSetAside = OpenCase.Past(
        name: "a parse anomaly", kind: .parseAnomaly, receipts: hiding())
    private static let otherApp = OpenCase.Past(
        name: "a receipt of another app", kind: .receiptForOtherApp,
        receipts: verified(.showing(bundle: "other")))
    private static let contradiction = OpenCase.Past(
        name: "a contradiction", kind: .receiptContradictsAnswer,
        receipts: running.map { evidence in
            var evidence = evidence
            evidence.contradictions = [.product(of: "1", signed: "a", answered: "b")]
            return evidence
        })

    static let cleared: [OpenCase] = [
        .init(.leak, "when the row grants no more", ended, taken),
        .init(.leak, "when the row grants no more, whatever Apple says", silent, taken),
        .init(.leak, "when the row is gone", silent),
        .init(.leak, "when the customer paid again", running, granted),
        .init(
            .leak, "by another line that settles", answers(.monthly("2", bought: -0.5)),
            .row(expires: 60)),
        .init(.leak, "by a source that is not judged", ended, OpenCase.gift),
        .init(.leak, "by a source that is not judged, whatever Apple says", silent, OpenCase.gift),
        .init(.leak, "when the row is of a consumable", silent, .row("e1", "coins", expires: 20)),
        .init(.bare, "by a receipt, even an unverified one", silent, granted),
        .init(.debt, "when the row grants", running, granted),
        .init(.debt, "when the row grants, whatever Apple says", silent, granted),
        .init(
            .debt, "when another row covers it, whatever Apple says", silent, taken,
            .row("e2", "max.monthly", source: .other("promo"))),
        .init(.rowless, "when there is a row", running, granted),
        .init(
            .rowless, "when there is a row, though a receipt is unread", running + [unchecked],
            granted),
        .init(.rowless, "when there is a row, whatever Apple says", silent, granted),
        .init(.paid, "when it is granted", got("4.0"), OpenCase.premium),
        .init(.early, "when its answer is read", running + [unchecked], granted),
        .init(.malformed, "when it was replaced", running),
        .init(.malformed, "when it is gone"),
        .init(otherApp, "by an answer, whatever is in it", hiding()),
        .init(lineSetAside, "when the line can be read", running),
    ]

    @Test(
        "An open finding is cleared where the run's evidence shows that it is gone",
        arguments: cleared)
    func clears(open: OpenCase) throws { #expect(try open.isCleared(by: .acme)) }

    static let open: [OpenCase] = [
        .init(.leak, "when Apple is silent", silent, granted),
        .init(.leak, "when another receipt is not read", ended + [unchecked], granted),
        .init(.leak, "while the row is in flux", ended, OpenCase.inFlux),
        .init(.leak, "while the row cannot be read", ended, unreadable: ["e1"]),
        .init(
            .leak, "when the kind of the product is unknown", ended,
            .row("e1", "nobody.sells", expires: 20)),
        .init(
            .leak, "when the product has no access_duration", ended,
            .row("e1", "pass.unknown", expires: 20)),
        .init(
            .refund, "while a younger cause of it settles",
            answers(.monthly(bought: -10, cancelled: -0.5)), granted),
        .init(
            .unpaid, "when no answer shows the app",
            verified(.showing(environment: .sandbox, version: "1.0")), OpenCase.premium),
        .init(.debt, "when Apple is silent", silent, taken),
        .init(.debt, "when the row is gone and Apple is silent", silent),
        .init(
            .debt, "when its row is judged no more and Apple is silent", silent,
            .row(isActive: false, source: .other("promo"))),
        .init(.rowless, "when Apple is silent", silent),
        .init(
            .rowless, "while a renewal settles",
            answers(.monthly(bought: -30.5), .monthly("2", bought: -0.5))),
        .init(
            .rowless, "while a row of the right is in flux", running,
            .row("e9", "max.monthly", expires: 20, updated: 0.1)),
        .init(.rowless, "when its line is set aside", hiding()),
        .init(.paid, "without an answer", silent, OpenCase.noPremium),
        .init(
            .rowlessPaid, "while a row of it is in flux", got("4.0"),
            .row("e9", "full", source: .legacyPaid, updated: 0.1)),
        .init(
            .early, "when its answer is not read",
            silent + [.stored("r2", .verified(.showing(.monthly("2", of: "2", bought: -25))))],
            early),
        .init(
            .early, "when the line that ends it is set aside",
            hiding(.monthly("2", bought: -25)), early),
        .init(
            .malformed, "when it may be a row that cannot be read", invalidReceipts: 1),
        .init(.rejected, "when Apple is silent", silent),
        .init(dates, "when their line is set aside", hiding()),
        .init(contradiction, "when its line is set aside", hiding()),
    ]

    @Test("An open finding stays open where the run's evidence may hide it", arguments: open)
    func keeps(open: OpenCase) throws { #expect(try !open.isCleared(by: .acme)) }
}

@Suite("An open finding on an offline run")
struct OfflineOpenFindingsTests {
    private static let (ended, running) = (OpenCase.ended, OpenCase.running)
    private static let (granted, taken) = (OpenCase.granted, OpenCase.taken)
    private static let bought = StoredEntitlement.row("e1", "max.monthly", expires: 20)

    static let cleared: [OpenCase] = [
        .init(.leak, "when the row grants no more", ended, taken),
        .init(.leak, "when the row is gone", ended),
        .init(.bare, "by a receipt", running, granted),
        .init(.debt, "when the row grants", running, granted),
        .init(.rowless, "by a row that grants it", running, granted),
        .init(.early, "when it was moved", running, granted),
        .init(.level, "when the row has it", OpenCase.upgraded, bought),
        .init(.malformed, "when it was replaced", running),
        .init(.malformed, "when it is gone"),
        .init(.gone, "when it is gone"),
    ]

    @Test(
        "An offline run clears an open finding by what the service's own rows show",
        arguments: cleared)
    func clears(open: OpenCase) throws {
        #expect(try open.isCleared(by: OfflineJudgementTests.judge))
    }

    static let open: [OpenCase] = [
        .init(.leak, "though its receipt was read", running, granted),
        .init(.leak, "while the row is in flux", ended, OpenCase.inFlux),
        .init(.leak, "while the row cannot be read", ended, unreadable: ["e1"]),
        .init(.debt, "when an older receipt does not show it", ended, taken),
        .init(.debt, "when its row is gone and its receipt is older", ended),
        .init(.rowless, "while there is none", ended),
        .init(.early, "as it is", ended, OpenCase.early),
        .init(.level, "when no receipt shows it any more", ended, bought),
        .init(.level, "as it is", ended, granted),
        .init(.rejected, "whoever signed it", running),
    ]

    @Test("An offline run keeps an open finding that only Apple could clear", arguments: open)
    func keeps(open: OpenCase) throws {
        #expect(try !open.isCleared(by: OfflineJudgementTests.judge))
    }
}
