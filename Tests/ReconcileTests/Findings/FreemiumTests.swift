import Testing

@testable import Reconcile

/// The app `acme` was paid for up to version 4.10; a buyer of it has `full` forever.
@Suite("A row of a paid app's premium product")
struct FreemiumTests {
    private static let legacy = StoredEntitlement.row("e1", "full", source: .legacyPaid)
    private static let taken = StoredEntitlement.row(
        "e1", "full", isActive: false, source: .legacyPaid)
    private static let bought = Transaction.once("1", "full", bought: -9)
    private static let refunded = Transaction.once("1", "full", bought: -9, cancelled: -5)

    static let legacyRows: [AnsweredCase] = [
        .init("is not judged without a receipt", [], legacy, is: "not_judged"),
        .init(
            "is not judged by an iOS 6 answer",
            verified(.showing(style: .iOS6, version: nil, created: nil)), legacy, is: "not_judged"),
        .init(
            "is not judged by the sandbox, where all began with 1.0",
            verified(.showing(environment: .sandbox, version: "1.0")), legacy, is: "not_judged"),
        .init(
            "is not judged by an answer for another app",
            verified(.showing(bundle: "other", version: "1.0")), legacy,
            is: "not_judged", "receipt_for_other_app"),
        .init(
            "is not judged while its only receipt could not be checked", [unchecked], legacy,
            is: "not_judged"),
        .init(
            "is not judged for a product that no app gives away, and covers nothing", got("4.0"),
            .row("e1", "unlock", source: .legacyPaid),
            is: "not_judged", "freemium_paid_not_granted"),
        .init("agrees when the app was paid for", got("4.10"), legacy, is: "consistent"),
        .init(
            "agrees when the app was paid for and the product refunded", got("4.10", refunded),
            legacy, is: "consistent", "refund_recorded"),
        .init("agrees when it was bought instead", got("5.0", bought), legacy, is: "consistent"),
        .init(
            "agrees when it was bought, whatever the version", got(nil, bought), legacy,
            is: "consistent"),
        .init(
            "is a leak when the product was bought and refunded", got("5.0", refunded), legacy,
            is: "freemium_granted_not_paid e1", "refund_recorded"),
        .init(
            "is undecidable whatever else is missing", got("4.1b2") + [unchecked], legacy,
            is: "freemium_undecidable e1"),
        .init(
            "agrees when it is not granted and the app was not paid for", got("5.0"), taken,
            is: "consistent"),
        .init(
            "is unverified when it is not granted and a receipt is unchecked",
            got("5.0") + [unchecked], taken, is: "unverified"),
        .init(
            "is owed to a buyer, whatever is unverified", got("4.9") + [unchecked], taken,
            is: "freemium_paid_not_granted e1"),
        .init(
            "is not owed by a purchase, which needs a row of the App Store", got("5.0", bought),
            taken, is: "consistent", "owned_not_granted"),
    ]

    @Test(
        "A legacy_paid row is judged by what the app's original version shows",
        arguments: legacyRows)
    func legacyRow(row: AnsweredCase) { row.check() }

    private static let store = StoredEntitlement.row("e1", "full")
    private static let storeTaken = StoredEntitlement.row("e1", "full", isActive: false)

    static let storeRows: [AnsweredCase] = [
        .init("agrees when the app was paid for", got("4.10"), store, is: "consistent"),
        .init(
            "agrees when the app was paid for and the product refunded", got("4.10", refunded),
            store, is: "consistent", "refund_recorded"),
        .init(
            "is refunded when the app was not paid for", got("4.11", refunded), store,
            is: "refunded_still_granted e1", "refund_recorded"),
        .init(
            "is always unverified when the version is undecidable", got("4.1b2", refunded), store,
            is: "unverified", "refund_recorded"),
        .init(
            "agrees when it was bought, although the version is undecidable",
            got("4.1b2", bought), store, is: "consistent"),
        .init(
            "is owed when the app was paid for", got("4.0"), storeTaken,
            is: "freemium_paid_not_granted e1"),
        .init(
            "is owed by the purchase when there is one", got("4.0", bought), storeTaken,
            is: "owned_not_granted e1"),
        .init(
            "has no end when the app was paid for and it was bought too", got("4.0", bought),
            store, is: "consistent"),
    ]

    @Test(
        "An app_store row is judged by the purchase and by the original version",
        arguments: storeRows)
    func storeRow(row: AnsweredCase) { row.check() }

    static let places: [AnsweredCase] = [
        .init(
            "the row changed last", got("4.0"), taken.updated(-9),
            .row("e2", "full", isActive: false, updated: -8),
            is: "consistent", "freemium_paid_not_granted e2"),
        .init(
            "no row, if one of any source covers it", got("4.0"),
            .row("e1", "full", source: .other("promo")), is: "not_judged"),
        .init(
            "no row, if another covers it", got("4.0"), storeTaken,
            .row("e2", "full", source: .legacyPaid), is: "consistent", "consistent"),
        .init(
            "no row, while one of the App Store is in flux", got("5.0", bought),
            storeTaken.updated(0.1), is: "settling"),
        .init(
            "no row, while one of the paid app is in flux", got("5.0", bought), taken.updated(0.1),
            is: "settling"),
    ]

    @Test("The right is owed on one row at most", arguments: places)
    func place(row: AnsweredCase) { row.check() }

    @Test("Without a row the finding that the right is owed shows nothing of Apple's")
    func withoutRow() throws {
        let judgement = Judge.acme.judgement(of: got("4.0"), [])
        #expect(judgement.outcome == ["freemium_paid_not_granted"])
        let finding = try judgement.only(.freemiumPaidNotGranted)
        #expect(finding.reference == "product:full" && finding.productApple == "full")
        #expect(finding.appleState == AppleState.none)
        #expect(finding.receipt == nil && finding.eventAt == nil)
    }
}

/// `dated` was sold until 100 days ago and has no last paid version; `dual` has both.
@Suite("An app that was sold until a date")
struct PaidUntilDateTests {
    private static let catalog = Catalog(
        products: ["full", "whole"].map { CatalogProduct(id: $0, kind: .nonConsumable) },
        apps: [
            CatalogApp(bundle: "dated", paidUntil: .day(-100), premiumProduct: "full"),
            CatalogApp(
                bundle: "dual", lastPaidVersion: "3.5", paidUntil: .day(-100),
                premiumProduct: "whole"),
        ])

    private static func dated(_ version: String, at day: Double?) -> [ReceiptEvidence] {
        let answer = AppleLine.answer(version: version, firstGot: day, bundle: "dated")
        return [.answered("r1", answer, bundle: "dated")]
    }

    private static func dual(_ version: String, at day: Double?) -> [ReceiptEvidence] {
        let answer = AppleLine.answer(version: version, firstGot: day, bundle: "dual")
        return [.answered("r1", answer, bundle: "dual")]
    }

    private static func row(
        isActive: Bool = true, source: EntitlementSource = .legacyPaid
    ) -> StoredEntitlement { .row("e1", "full", isActive: isActive, source: source) }

    private static let whole = StoredEntitlement.row("e1", "whole", source: .legacyPaid)
    private static let unpaid = ["freemium_granted_not_paid e1"]

    static let dated: [AnsweredCase] = [
        .init("got before it", dated("77", at: -100.001), row(), is: "consistent"),
        .init("got before it, without a version", dated("", at: -300), row(), is: "consistent"),
        .init(
            "got before it, on a row of the App Store", dated("77", at: -300),
            row(source: .appStore), is: "consistent"),
        .init(
            "got before it, not granted", dated("77", at: -300), row(isActive: false),
            is: "freemium_paid_not_granted e1"),
        .init(
            "got before it, without a row", dated("77", at: -300), is: "freemium_paid_not_granted"),
        .init("got on that instant", dated("1", at: -100), [row()], expected: unpaid),
        .init("got after it", dated("1", at: -50), [row()], expected: unpaid),
        .init(
            "got after it, on a row of the App Store", dated("1", at: -50), row(source: .appStore),
            is: "grant_without_transaction e1"),
        .init("got after it, without a row", dated("1", at: -50)),
        .init(
            "got at an unknown date", dated("1", at: nil), row(), is: "freemium_undecidable e1"),
    ]

    @Test("Without a last paid version the date alone decides", arguments: dated)
    func goesByDate(row: AnsweredCase) { row.check(by: Self.catalog) }

    static let dual: [AnsweredCase] = [
        .init("an older version, late", dual("3.4.9", at: -10), whole, is: "consistent"),
        .init("a newer version, early", dual("3.6", at: -300), [whole], expected: unpaid),
        .init("an odd version, early", dual("3.b", at: -300), whole, is: "consistent"),
        .init("no version, late", dual("", at: -10), [whole], expected: unpaid),
        .init(
            "an odd version at no date", dual("x", at: nil), whole, is: "freemium_undecidable e1"),
    ]

    @Test("With a last paid version the version decides before the date", arguments: dual)
    func goesByVersion(row: AnsweredCase) { row.check(by: Self.catalog) }
}
