import Testing

@testable import Reconcile

/// `dated` was sold until 100 days ago and has no last paid version; `dual` has both.
@Suite("An app that was sold until a date")
struct PaidUntilDateTests {
    private static let catalog = Catalog(
        products: [
            CatalogProduct(id: "full", kind: .nonConsumable),
            CatalogProduct(id: "whole", kind: .nonConsumable),
        ],
        apps: [
            CatalogApp(bundle: "dated", paidUntil: .day(-100), premiumProduct: "full"),
            CatalogApp(
                bundle: "dual", lastPaidVersion: "3.5", paidUntil: .day(-100),
                premiumProduct: "whole"),
        ])

    private static func got(
        _ bundle: String, _ version: String, at day: Double?
    ) -> [ReceiptEvidence] {
        let answer = AppleLine.answer(version: version, firstGot: day, bundle: bundle)
        return [.answered("r1", answer, bundle: BundleID(bundle))]
    }

    private static func row(
        _ product: ProductID = "full", isActive: Bool = true,
        source: EntitlementSource = .legacyPaid
    ) -> StoredEntitlement {
        .row("e1", product, isActive: isActive, source: source)
    }

    static let dated: [AnsweredCase] = [
        AnsweredCase(
            "got before it", got("dated", "77", at: -100.001), row(), is: "consistent"),
        AnsweredCase(
            "got before it, without a version", got("dated", "", at: -300), row(),
            is: "consistent"),
        AnsweredCase(
            "got before it, on a row of the App Store", got("dated", "77", at: -300),
            row(source: .appStore), is: "consistent"),
        AnsweredCase(
            "got before it, not granted", got("dated", "77", at: -300), row(isActive: false),
            is: "freemium_paid_not_granted e1"),
        AnsweredCase(
            "got before it, without a row", got("dated", "77", at: -300),
            is: "freemium_paid_not_granted"),
        AnsweredCase(
            "got on that instant", got("dated", "1", at: -100), row(),
            is: "freemium_granted_not_paid e1"),
        AnsweredCase(
            "got after it", got("dated", "1", at: -50), row(), is: "freemium_granted_not_paid e1"),
        AnsweredCase(
            "got after it, on a row of the App Store", got("dated", "1", at: -50),
            row(source: .appStore), is: "grant_without_transaction e1"),
        AnsweredCase("got after it, without a row", got("dated", "1", at: -50)),
        AnsweredCase(
            "got at an unknown date", got("dated", "1", at: nil), row(),
            is: "freemium_undecidable e1"),
    ]

    @Test("Without a last paid version the date alone decides", arguments: dated)
    func goesByDate(row: AnsweredCase) { row.check(by: Self.catalog) }

    static let dual: [AnsweredCase] = [
        AnsweredCase(
            "an older version, whatever the date", got("dual", "3.4.9", at: -10), row("whole"),
            is: "consistent"),
        AnsweredCase(
            "a newer version, whatever the date", got("dual", "3.6", at: -300), row("whole"),
            is: "freemium_granted_not_paid e1"),
        AnsweredCase(
            "an odd version and a date before it", got("dual", "3.b", at: -300), row("whole"),
            is: "consistent"),
        AnsweredCase(
            "no version and a date after it", got("dual", "", at: -10), row("whole"),
            is: "freemium_granted_not_paid e1"),
        AnsweredCase(
            "an odd version and no date", got("dual", "x", at: nil), row("whole"),
            is: "freemium_undecidable e1"),
    ]

    @Test("With a last paid version the version decides before the date", arguments: dual)
    func goesByVersion(row: AnsweredCase) { row.check(by: Self.catalog) }
}
