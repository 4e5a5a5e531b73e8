import Testing

@testable import Reconcile

private let ended = answers(.monthly(bought: -40))
private let running = answers(.monthly(bought: -10))
private let silent = [ReceiptEvidence.stored(.unverified(.timeout))]
private let upgraded = answers(.monthly("1", of: "1", "max.monthly", bought: -10))
private let early = StoredEntitlement.row(expires: 5)
private let granted = StoredEntitlement.row(expires: 20)
private let taken = StoredEntitlement.row(isActive: false)
private let inFlux = StoredEntitlement.row(isActive: false, updated: 0.1)
private let gift = StoredEntitlement.row(expires: 20, source: .other("promo"))
private let premium = StoredEntitlement.row("e1", "full", source: .legacyPaid)
private let noPremium = StoredEntitlement.row("e1", "full", isActive: false, source: .legacyPaid)

/// A finding of the last run with its evidence.
struct Past: Sendable {
    let kind: FindingKind
    let receipts: [ReceiptEvidence]
    let rows: [StoredEntitlement]

    init(_ kind: FindingKind, _ receipts: [ReceiptEvidence], _ rows: StoredEntitlement...) {
        self.kind = kind
        self.receipts = receipts
        self.rows = rows
    }

    static let leak = Past(.expiredStillGranted, ended, granted)
    static let refund = Past(
        .refundedStillGranted, answers(.monthly(bought: -10, cancelled: -5)), granted)
    static let bare = Past(.grantWithoutReceipt, [], granted)
    static let unpaid = Past(.freemiumGrantedNotPaid, got("5.0"), premium)
    static let debt = Past(.activeNotGranted, running, taken)
    static let rowless = Past(.activeNotGranted, running)
    static let paid = Past(.freemiumPaidNotGranted, got("4.0"), noPremium)
    static let rowlessPaid = Past(.freemiumPaidNotGranted, got("4.0"))
    static let tooEarly = Past(.expiryTooEarly, running, early)
    static let level = Past(.upgradeNotApplied, upgraded, granted)
    static let malformed = Past(.receiptMalformed, [.stored(.unusable(.notAReceipt))])
    static let rejected = Past(.receiptNotAuthentic, [.stored(.rejected(.notAuthentic))])
    static let gone = Past(.receiptAccountGone, [.stored(.rejected(.accountGone))])
    static let dates = Past(.implausibleDates, answers(.monthly(bought: -10, days: 300)))
    static let setAside = Past(.parseAnomaly, hiding())
    static let otherApp = Past(.receiptForOtherApp, verified(.showing(bundle: "other")))
    static let contradiction: Past = {
        var evidence = running[0]
        evidence.contradictions = [.product(of: "1", signed: "a", answered: "b")]
        return Past(.receiptContradictsAnswer, [evidence])
    }()
}

/// An answer with a line that was ignored as malformed.
private func hiding(_ shown: Transaction...) -> [ReceiptEvidence] {
    var receipt = Receipt.showing(shown)
    receipt.anomalies = [ParseAnomaly(key: "purchase_date", transaction: "1")]
    return verified(receipt)
}

/// A finding of the last run, and a new run that does not find it again.
struct OpenCase: Sendable, CustomTestStringConvertible {
    let was: Past
    let when: String
    /// The evidence of the new run.
    let tonight: UserEvidence

    var testDescription: String { "\(was.kind.rawValue), \(when)" }

    init(
        _ was: Past, _ when: String, _ receipts: [ReceiptEvidence] = [],
        _ rows: StoredEntitlement..., unreadable: Set<EntitlementID> = [], invalidReceipts: Int = 0
    ) {
        self.was = was
        self.when = when
        tonight = UserEvidence(
            user: "u", receipts: receipts, invalidReceipts: invalidReceipts, entitlements: rows,
            invalidEntitlements: unreadable.count, unreadableEntitlements: unreadable)
    }

    /// Whether `judge`, who does not find it again, clears the finding.
    func isCleared(by judge: Judge) throws -> Bool {
        let finding = try Judge.acme.judgement(of: was.receipts, was.rows).only(was.kind)
        let judgement = judge.judgement(of: tonight, history: UserHistory([.of(finding)]))
        #expect(!judgement.findings.map(\.identity.id).contains(finding.identity.id))
        return !judgement.unjudged.contains(finding.identity.id)
    }
}

@Suite("An open finding that is not found again")
struct OpenFindingsTests {
    static let cleared: [OpenCase] = [
        .init(.leak, "when the row grants no more", ended, taken),
        .init(.leak, "when the row grants no more, whatever Apple says", silent, taken),
        .init(.leak, "when the row is gone", silent),
        .init(.leak, "when the customer paid again", running, granted),
        .init(
            .leak, "by another line that settles", answers(.monthly("2", bought: -0.5)),
            .row(expires: 60)),
        .init(.leak, "by a source that is not judged", ended, gift),
        .init(.leak, "by a source that is not judged, whatever Apple says", silent, gift),
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
        .init(.paid, "when it is granted", got("4.0"), premium),
        .init(.tooEarly, "when its answer is read", running + [unchecked], granted),
        .init(.malformed, "when it was replaced", running),
        .init(.malformed, "when it is gone"),
        .init(.otherApp, "by an answer, whatever is in it", hiding()),
        .init(.setAside, "when the line can be read", running),
    ]

    @Test(
        "An open finding is cleared where the run's evidence shows that it is gone",
        arguments: cleared)
    func clears(open: OpenCase) throws { #expect(try open.isCleared(by: .acme)) }

    static let open: [OpenCase] = [
        .init(.leak, "when Apple is silent", silent, granted),
        .init(.leak, "when another receipt is not read", ended + [unchecked], granted),
        .init(.leak, "while the row is in flux", ended, inFlux),
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
            verified(.showing(environment: .sandbox, version: "1.0")), premium),
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
        .init(.paid, "without an answer", silent, noPremium),
        .init(
            .rowlessPaid, "while a row of it is in flux", got("4.0"),
            .row("e9", "full", source: .legacyPaid, updated: 0.1)),
        .init(
            .tooEarly, "when its answer is not read",
            silent + [.stored("r2", .verified(.showing(.monthly("2", of: "2", bought: -25))))],
            early),
        .init(
            .tooEarly, "when the line that ends it is set aside",
            hiding(.monthly("2", bought: -25)), early),
        .init(
            .malformed, "when it may be a row that cannot be read", invalidReceipts: 1),
        .init(.rejected, "when Apple is silent", silent),
        .init(.dates, "when their line is set aside", hiding()),
        .init(.contradiction, "when its line is set aside", hiding()),
    ]

    @Test("An open finding stays open where the run's evidence may hide it", arguments: open)
    func keeps(open: OpenCase) throws { #expect(try !open.isCleared(by: .acme)) }
}

@Suite("An open finding on an offline run")
struct OfflineOpenFindingsTests {
    private static let bought = StoredEntitlement.row("e1", "max.monthly", expires: 20)

    static let cleared: [OpenCase] = [
        .init(.leak, "when the row grants no more", ended, taken),
        .init(.leak, "when the row is gone", ended),
        .init(.bare, "by a receipt", running, granted),
        .init(.debt, "when the row grants", running, granted),
        .init(.rowless, "by a row that grants it", running, granted),
        .init(.tooEarly, "when it was moved", running, granted),
        .init(.level, "when the row has it", upgraded, bought),
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
        .init(.leak, "while the row is in flux", ended, inFlux),
        .init(.leak, "while the row cannot be read", ended, unreadable: ["e1"]),
        .init(.debt, "when an older receipt does not show it", ended, taken),
        .init(.debt, "when its row is gone and its receipt is older", ended),
        .init(.rowless, "while there is none", ended),
        .init(.tooEarly, "as it is", ended, early),
        .init(.level, "when no receipt shows it any more", ended, bought),
        .init(.level, "as it is", ended, granted),
        .init(.rejected, "whoever signed it", running),
    ]

    @Test("An offline run keeps an open finding that only Apple could clear", arguments: open)
    func keeps(open: OpenCase) throws {
        #expect(try !open.isCleared(by: OfflineJudgementTests.judge))
    }
}
