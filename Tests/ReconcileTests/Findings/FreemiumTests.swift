import Testing

@testable import Reconcile

/// The app `acme` was paid for up to version 4.10; a buyer of it has `full` forever.
@Suite("A row of a paid app's premium product")
struct FreemiumTests {
    private static func got(_ version: String?, _ transactions: Transaction...) -> [ReceiptEvidence]
    {
        var receipt = Receipt.showing(version: version)
        receipt.transactions = transactions
        return [.stored(.verified(receipt))]
    }

    private static func legacy(
        isActive: Bool = true, chain: TransactionID? = nil
    ) -> StoredEntitlement {
        .row("e1", "full", chain: chain, isActive: isActive, source: .legacyPaid)
    }

    private static let bought = Transaction.once("1", "full", bought: -9)
    private static let refunded = Transaction.once("1", "full", bought: -9, cancelled: -5)

    static let legacyRows: [RowExample] = [
        RowExample(
            testDescription: "is not judged without a receipt", row: legacy(),
            verdict: "not_judged"),
        RowExample(
            testDescription: "is not judged by an iOS 6 answer",
            receipts: [.stored(.verified(.showing(style: .iOS6, version: nil, created: nil)))],
            row: legacy(), verdict: "not_judged"),
        RowExample(
            testDescription: "is not judged by the sandbox, where all began with 1.0",
            receipts: [.stored(.verified(.showing(environment: .sandbox, version: "1.0")))],
            row: legacy(), verdict: "not_judged"),
        RowExample(
            testDescription: "is not judged by an answer for another app",
            receipts: [.stored(.verified(.showing(bundle: "other", version: "1.0")))],
            row: legacy(), verdict: "not_judged"),
        RowExample(
            testDescription: "is not judged while its only receipt could not be checked",
            receipts: [unchecked], row: legacy(), verdict: "not_judged"),
        RowExample(
            testDescription: "is not judged for a product that no app gives away",
            receipts: got("4.0"), row: .row("e1", "unlock", source: .legacyPaid),
            verdict: "not_judged"),
        RowExample(
            testDescription: "agrees when the app was paid for", receipts: got("4.10"),
            row: legacy(), verdict: "consistent"),
        RowExample(
            testDescription: "agrees when the app was paid for and the product refunded",
            receipts: got("4.10", refunded), row: legacy(), verdict: "consistent"),
        RowExample(
            testDescription: "agrees when the product was bought instead",
            receipts: got("5.0", bought), row: legacy(), verdict: "consistent"),
        RowExample(
            testDescription: "agrees when the product was bought, whatever the version",
            receipts: got(nil, bought), row: legacy(), verdict: "consistent"),
        RowExample(
            testDescription: "is a leak when the product was bought and refunded",
            receipts: got("5.0", refunded), row: legacy(), verdict: "freemium_granted_not_paid"),
        RowExample(
            testDescription: "is undecidable whatever else is missing",
            receipts: got("4.1b2") + [unchecked], row: legacy(), verdict: "freemium_undecidable"),
        RowExample(
            testDescription: "agrees when it is not granted and the app was not paid for",
            receipts: got("5.0"), row: legacy(isActive: false), verdict: "consistent"),
        RowExample(
            testDescription: "is unverified when it is not granted and a receipt is unchecked",
            receipts: got("5.0") + [unchecked], row: legacy(isActive: false),
            verdict: "unverified"),
        RowExample(
            testDescription: "is owed to a buyer, whatever is unverified",
            receipts: got("4.9") + [unchecked], row: legacy(isActive: false),
            verdict: "freemium_paid_not_granted"),
        RowExample(
            testDescription: "is not owed by a purchase, which needs a row of the App Store",
            receipts: got("5.0", bought), row: legacy(isActive: false), verdict: "consistent"),
    ]

    @Test(
        "A legacy_paid row is judged by what the app's original version shows",
        arguments: legacyRows)
    func legacyRow(row: RowExample) { row.check() }

    static let storeRows: [RowExample] = [
        RowExample(
            testDescription: "agrees when the app was paid for", receipts: got("4.10"),
            row: .row("e1", "full"), verdict: "consistent"),
        RowExample(
            testDescription: "agrees when the app was paid for and the product refunded",
            receipts: got("4.10", refunded), row: .row("e1", "full"), verdict: "consistent"),
        RowExample(
            testDescription: "is refunded when the app was not paid for",
            receipts: got("4.11", refunded), row: .row("e1", "full"),
            verdict: "refunded_still_granted"),
        RowExample(
            testDescription: "is always unverified when the version is undecidable",
            receipts: got("4.1b2", refunded), row: .row("e1", "full"), verdict: "unverified"),
        RowExample(
            testDescription: "agrees when it was bought, although the version is undecidable",
            receipts: got("4.1b2", bought), row: .row("e1", "full"), verdict: "consistent"),
        RowExample(
            testDescription: "is owed when the app was paid for", receipts: got("4.0"),
            row: .row("e1", "full", isActive: false), verdict: "freemium_paid_not_granted"),
        RowExample(
            testDescription: "is owed by the purchase when there is one",
            receipts: got("4.0", bought), row: .row("e1", "full", isActive: false),
            verdict: "owned_not_granted"),
        RowExample(
            testDescription: "has no end when the app was paid for and it was bought too",
            receipts: got("4.0", bought), row: .row("e1", "full"), verdict: "consistent"),
    ]

    @Test(
        "An app_store row is judged by the purchase and by the original version",
        arguments: storeRows)
    func storeRow(row: RowExample) { row.check() }

    @Test("The premium right is owed on the row changed last, else without a row")
    func place() throws {
        func owed(_ rows: StoredEntitlement...) -> [Finding] {
            Judge.acme.judgement(of: Self.got("4.0"), rows).findings
        }
        let old = StoredEntitlement.row(
            "a", "full", isActive: false, source: .legacyPaid, updated: -9)
        let new = StoredEntitlement.row("b", "full", isActive: false, updated: -8)
        #expect(owed(old, new).map(\.entitlement) == ["b"])
        let alone = try #require(owed().first)
        #expect(owed().count == 1 && alone.kind == .freemiumPaidNotGranted)
        #expect(alone.entitlement == nil && alone.reference == "product:full")
        #expect(alone.appleState == AppleState.none && alone.productApple == "full")
        #expect(alone.receipt == nil && alone.eventAt == nil)
        #expect(owed(.row("c", "full", source: .other("promo"))).isEmpty)
        #expect(owed(new, .row("c", "full", source: .legacyPaid)).isEmpty)
    }

    @Test("A row in flux, of either source, keeps a purchase from being reported as owed")
    func flux() {
        for source in [EntitlementSource.appStore, .legacyPaid] {
            let row = StoredEntitlement.row(
                "e1", "full", isActive: false, source: source, updated: 0.1)
            let judgement = Judge.acme.judgement(of: Self.got("5.0", Self.bought), [row])
            #expect(judgement.findings.isEmpty)
            #expect(judgement.bucket == "settling")
        }
    }
}
