import Testing

@testable import Reconcile

/// The app `acme` was paid for up to version 4.10; a buyer of it has `full` forever.
@Suite("A row of a paid app's premium product")
struct FreemiumTests {
    private static let legacy = [StoredEntitlement.row("e1", "full", source: .legacyPaid)]
    private static let taken = [
        StoredEntitlement.row("e1", "full", isActive: false, source: .legacyPaid)
    ]
    private static let store = [StoredEntitlement.row("e1", "full")]
    private static let storeTaken = [StoredEntitlement.row("e1", "full", isActive: false)]
    private static let gift = [StoredEntitlement.row("e1", "full", source: .other("promo"))]
    private static let other = [StoredEntitlement.row("e1", "unlock", source: .legacyPaid)]
    private static let second = StoredEntitlement.row("e2", "full", source: .legacyPaid)
    private static let secondTaken = StoredEntitlement.row(
        "e2", "full", isActive: false, updated: -8)

    private static let bought = Transaction.once("1", "full", bought: -9)
    private static let refunded = Transaction.once("1", "full", bought: -9, cancelled: -5)
    private static let iOS6 = verified(.showing(style: .iOS6, version: nil, created: nil))
    private static let sandbox = verified(.showing(environment: .sandbox, version: "1.0"))
    private static let otherApp = verified(.showing(bundle: "other", version: "1.0"))

    static let legacyRows = cases([
        "not_judged": [
            ("judged by an iOS 6 answer", iOS6, legacy),
            ("judged by the sandbox, where all began with 1.0", sandbox, legacy),
            ("judged while its only receipt could not be checked", [unchecked], legacy),
        ],
        "not_judged, receipt_for_other_app": [
            ("judged by an answer for another app", otherApp, legacy)
        ],
        "not_judged, freemium_paid_not_granted": [
            ("of a product that no app gives away, which covers nothing", got("4.0"), other)
        ],
        "consistent": [
            ("bought instead", got("5.0", bought), legacy),
            ("bought, whatever the version", got(nil, bought), legacy),
        ],
        "consistent, refund_recorded": [
            ("paid for, and refunded besides", got("4.10", refunded), legacy)
        ],
        "freemium_granted_not_paid e1, refund_recorded": [
            ("bought and refunded", got("5.0", refunded), legacy)
        ],
        "unverified": [("not granted, with an unchecked receipt", got("5.0") + [unchecked], taken)],
        "consistent, owned_not_granted": [
            ("not owed by a purchase, which needs another row", got("5.0", bought), taken)
        ],
    ])

    @Test(
        "A legacy_paid row is judged by what the app's original version shows",
        arguments: legacyRows)
    func legacyRow(row: AnsweredCase) { row.check() }

    static let storeRows = cases([
        "consistent": [
            ("paid for", got("4.10"), store),
            ("bought, although the version is undecidable", got("4.1b2", bought), store),
            ("paid for and bought too, without an end", got("4.0", bought), store),
        ],
        "consistent, refund_recorded": [
            ("paid for, and refunded besides", got("4.10", refunded), store)
        ],
        "refunded_still_granted e1, refund_recorded": [
            ("refunded, of an app not paid for", got("4.11", refunded), store)
        ],
        "unverified, refund_recorded": [
            ("of an undecidable version", got("4.1b2", refunded), store)
        ],
        "freemium_paid_not_granted e1": [
            ("owed when the app was paid for", got("4.0"), storeTaken)
        ],
        "owned_not_granted e1": [("owed by a purchase", got("4.0", bought), storeTaken)],
    ])

    @Test(
        "An app_store row is judged by the purchase and by the original version",
        arguments: storeRows)
    func storeRow(row: AnsweredCase) { row.check() }

    static let places = cases([
        "consistent, freemium_paid_not_granted e2": [
            ("the row changed last", got("4.0"), [taken[0].updated(-9), secondTaken])
        ],
        "not_judged": [("no row, if one of any source covers it", got("4.0"), gift)],
        "consistent, consistent": [
            ("no row, if another covers it", got("4.0"), storeTaken + [second])
        ],
        "settling": [
            (
                "none, while a store's row is in flux", got("5.0", bought),
                [storeTaken[0].updated(0.1)]
            ),
            ("none, while an app's row is in flux", got("5.0", bought), [taken[0].updated(0.1)]),
        ],
    ])

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

    private static func got(
        _ version: String, at day: Double?, of bundle: String = "dated"
    ) -> [ReceiptEvidence] {
        let answer = AppleLine.answer(version: version, firstGot: day, bundle: bundle)
        return [.answered("r1", answer, bundle: BundleID(bundle))]
    }

    private static func dual(_ version: String, at day: Double?) -> [ReceiptEvidence] {
        got(version, at: day, of: "dual")
    }

    private static let row = [StoredEntitlement.row("e1", "full", source: .legacyPaid)]
    private static let store = [StoredEntitlement.row("e1", "full")]
    private static let taken = [
        StoredEntitlement.row("e1", "full", isActive: false, source: .legacyPaid)
    ]
    private static let whole = [StoredEntitlement.row("e1", "whole", source: .legacyPaid)]

    static let dated = cases([
        "consistent": [
            ("got before it", got("77", at: -100.001), row),
            ("got before it, without a version", got("", at: -300), row),
            ("got before it, on a row of the App Store", got("77", at: -300), store),
        ],
        "freemium_granted_not_paid e1": [
            ("got on that instant", got("1", at: -100), row), ("got later", got("1", at: -50), row),
        ],
        "freemium_paid_not_granted e1": [
            ("got before it, not granted", got("77", at: -300), taken)
        ],
        "freemium_paid_not_granted": [("got before it, without a row", got("77", at: -300), [])],
        "grant_without_transaction e1": [
            ("got later, on a row of the App Store", got("1", at: -50), store)
        ],
        "": [("got later, without a row", got("1", at: -50), [])],
        "freemium_undecidable e1": [("got at an unknown date", got("1", at: nil), row)],
    ])

    @Test("Without a last paid version the date alone decides", arguments: dated)
    func goesByDate(row: AnsweredCase) { row.check(by: Self.catalog) }

    static let dual = cases([
        "consistent": [
            ("an older version, late", dual("3.4.9", at: -10), whole),
            ("an odd version, early", dual("3.b", at: -300), whole),
        ],
        "freemium_granted_not_paid e1": [
            ("a newer version, early", dual("3.6", at: -300), whole),
            ("no version, late", dual("", at: -10), whole),
        ],
        "freemium_undecidable e1": [("an odd version at no date", dual("x", at: nil), whole)],
    ])

    @Test("With a last paid version the version decides before the date", arguments: dual)
    func goesByVersion(row: AnsweredCase) { row.check(by: Self.catalog) }
}
