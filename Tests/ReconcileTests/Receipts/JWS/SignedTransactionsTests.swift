import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: payloads with a label, and what is read of them together.
@Suite("The signed transactions of a customer")
struct SignedTransactionsTests {
    private static let base = PayloadJSON.transaction.with("transactionId", #""10""#)

    private static func history(_ payloads: [PayloadJSON]) throws -> Receipt {
        var history = SignedHistory()
        for json in payloads {
            let payload = try #require(SignedPayload(Array(json.text.utf8)))
            history.add(payload, as: payload.kind)
        }
        return history.receipt(of: "acme", in: .production)
    }

    private static func only(_ payload: PayloadJSON) throws -> Transaction {
        let transactions = try history([payload]).transactions
        try #require(transactions.count == 1)
        return transactions[0]
    }

    /// The same transaction, signed later or earlier, or not dated.
    private static func signed(at seconds: Int?, product: String) -> PayloadJSON {
        let changed = base.with("productId", product.jsonQuoted)
        guard let seconds else { return changed.without("signedDate") }
        return changed.with("signedDate", "\(PayloadJSON.signedAt + seconds * 1_000)")
    }

    struct Repeated: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let payloads: [PayloadJSON]
        /// Nil where none counts.
        let product: ProductID?
    }

    @Test(
        "Of one id the transaction that was signed last counts; none of those that contradict it",
        arguments: [
            Repeated(
                testDescription: "the same twice",
                payloads: [signed(at: 0, product: "a"), signed(at: 0, product: "a")],
                product: "a"),
            Repeated(
                testDescription: "signed later",
                payloads: [signed(at: 0, product: "a"), signed(at: 1, product: "b")],
                product: "b"),
            Repeated(
                testDescription: "signed earlier",
                payloads: [signed(at: 1, product: "b"), signed(at: 0, product: "a")],
                product: "b"),
            Repeated(
                testDescription: "without a date, after one with",
                payloads: [signed(at: 0, product: "a"), signed(at: nil, product: "b")],
                product: "a"),
            Repeated(
                testDescription: "signed at once, and different",
                payloads: [signed(at: 0, product: "a"), signed(at: 0, product: "b")],
                product: nil),
            Repeated(
                testDescription: "different, and one signed later",
                payloads: [
                    signed(at: 0, product: "a"), signed(at: 0, product: "b"),
                    signed(at: 1, product: "c"),
                ], product: "c"),
            Repeated(
                testDescription: "one signed later, and then different ones",
                payloads: [
                    signed(at: 1, product: "c"), signed(at: 0, product: "a"),
                    signed(at: 0, product: "b"),
                ], product: "c"),
        ])
    func repeated(row: Repeated) throws {
        let receipt = try Self.history(row.payloads)
        #expect(receipt.transactions.map(\.product) == [row.product].compactMap(\.self))
        let isContradicted = row.product == nil
        let anomaly = ParseAnomaly(key: ParseAnomaly.duplicateKey, transaction: "10")
        #expect(receipt.anomalies == (isContradicted ? [anomaly] : []))
    }

    @Test("The transactions keep the order of the pages, and the newest date is that of the answer")
    func order() throws {
        let late = PayloadJSON.signedAt + 7_000
        let receipt = try Self.history([
            Self.base.with("transactionId", #""30""#), Self.base,
            Self.base.with("transactionId", #""20""#).with("signedDate", "\(late)"),
            Self.base.without("signedDate"),
        ])
        #expect(receipt.transactions.map(\.id) == ["30", "10", "20"])
        #expect(receipt.createdAt == Instant(milliseconds: Int64(late)))
        #expect(receipt.requestedAt == receipt.createdAt)
        #expect(receipt.transactions.map(\.isInLatest) == [true, true, true])
    }

    @Test(
        "A transaction without what it needs is set aside, by Apple's name of it",
        arguments: [
            (json: base.without("transactionId"), key: "transactionId", id: nil),
            (base.with("transactionId", #""""#), "transactionId", nil),
            (base.without("productId"), "productId", "10"),
            (base.with("productId", "null"), "productId", "10"),
            (base.without("purchaseDate"), "purchaseDate", "10"),
            (base.with("purchaseDate", #""soon""#), "purchaseDate", "10"),
            (base.with("purchaseDate", "1e12"), "purchaseDate", "10"),
            (base.with("expiresDate", #""soon""#), "expiresDate", "10"),
            (base.with("expiresDate", "true"), "expiresDate", "10"),
            (base.with("revocationDate", "[]"), "revocationDate", "10"),
        ] as [(json: PayloadJSON, key: String, id: TransactionID?)])
    func setAside(json: PayloadJSON, key: String, id: TransactionID?) throws {
        let receipt = try Self.history([json])
        #expect(receipt.transactions == [])
        #expect(receipt.anomalies.map(\.key) == [key])
        #expect(receipt.anomalies.map(\.transaction) == [id])
    }

    @Test(
        "Milliseconds may have a fraction, and are rounded down",
        arguments: [
            ("1789136000000", 1_789_136_000_000), ("1789136000000.0", 1_789_136_000_000),
            ("1789136000000.999", 1_789_136_000_000), (#""1789136000000.5""#, 1_789_136_000_000),
            ("-0.5", -1), ("0", 0),
        ] as [(json: String, milliseconds: Int64)])
    func fraction(json: String, milliseconds: Int64) throws {
        let transaction = try Self.only(Self.base.with("purchaseDate", json))
        #expect(transaction.purchasedAt == Instant(milliseconds: milliseconds))
    }

    @Test("Its facts are those of a line of verifyReceipt's answer")
    func facts() throws {
        let transaction = try Self.only(
            Self.base.with("revocationDate", "1790000000000").with("revocationReason", "1")
                .with("isUpgraded", "true").with("quantity", "3"))
        #expect(transaction.id == "10")
        #expect(transaction.originalID == "450000000000017")
        #expect(transaction.product == "pro.monthly")
        #expect(transaction.purchasedAt == Instant(milliseconds: 1_789_136_000_000))
        #expect(transaction.expiresAt == Instant(milliseconds: 1_791_728_000_000))
        #expect(transaction.cancelledAt == Instant(milliseconds: 1_790_000_000_000))
        #expect(transaction.cancellationReason == "1")
        #expect(transaction.isUpgraded)
        #expect(transaction.lineItem == "480000000000014")
        #expect(transaction.quantity == 3)
        #expect(transaction.ownership == .purchased)
        #expect(!transaction.isOwnershipUnknown)
    }

    @Test("A quantity below one is one, and a missing original id is its own")
    func defaults() throws {
        let transaction = try Self.only(
            Self.base.with("quantity", "0").without("originalTransactionId"))
        #expect(transaction.quantity == 1)
        #expect(transaction.originalID == "10")
    }

    @Test(
        "An owner of a kind that Apple added since neither bought it nor shares it",
        arguments: [
            (#""PURCHASED""#, .purchased, false), (#""FAMILY_SHARED""#, .familyShared, false),
            (#""GROUP_SEAT""#, nil, true), (#""purchased""#, nil, true), ("null", nil, false),
        ] as [(json: String, ownership: Ownership?, isUnknown: Bool)])
    func owner(json: String, ownership: Ownership?, isUnknown: Bool) throws {
        let transaction = try Self.only(Self.base.with("inAppOwnershipType", json))
        #expect(transaction.ownership == ownership)
        #expect(transaction.isOwnershipUnknown == isUnknown)
    }

    struct Offer: Sendable, CustomTestStringConvertible {
        let type: String?
        var discount: String?
        var isTrial = false
        var isIntroductory = false
        var promotion: String?
        var code: String?
        var isWinBack = false

        var testDescription: String { "\(type ?? "none"), \(discount ?? "none")" }
    }

    @Test(
        "An offer is what its type says, and a trial whatever its type is",
        arguments: [
            Offer(type: nil), Offer(type: "1", isIntroductory: true),
            Offer(type: "2", promotion: "spring"), Offer(type: "3", code: "spring"),
            Offer(type: "4", isWinBack: true), Offer(type: "5"),
            Offer(type: "1", discount: "FREE_TRIAL", isTrial: true),
            Offer(type: "2", discount: "FREE_TRIAL", isTrial: true),
            Offer(type: "3", discount: "FREE_TRIAL", isTrial: true),
            Offer(type: "9", discount: "FREE_TRIAL", isTrial: true),
            Offer(type: "1", discount: "PAY_UP_FRONT", isIntroductory: true),
            Offer(type: nil, discount: "FREE_TRIAL", isTrial: true),
        ])
    func offer(row: Offer) throws {
        var payload = Self.base.with("offerIdentifier", #""spring""#)
        if let type = row.type { payload = payload.with("offerType", type) }
        if let discount = row.discount {
            payload = payload.with("offerDiscountType", discount.jsonQuoted)
        }
        let transaction = try Self.only(payload)
        #expect(transaction.isTrial == row.isTrial)
        #expect(transaction.isIntroductoryOffer == row.isIntroductory)
        #expect(transaction.promotionalOffer == row.promotion)
        #expect(transaction.offerCode == row.code)
        #expect(transaction.sale?.isWinBack == row.isWinBack)
        let isDiscounted =
            row.isIntroductory || row.promotion != nil || row.code != nil || row.isWinBack
        #expect(transaction.isDiscounted == isDiscounted)
    }

    @Test("An offer without an identifier is one all the same")
    func unnamedOffer() throws {
        let transaction = try Self.only(Self.base.with("offerType", "2"))
        #expect(transaction.promotionalOffer == "")
        #expect(transaction.isDiscounted)
    }

    @Test(
        "A price needs its currency, and a percentage must be one",
        arguments: [
            (base, SalePrice(thousandths: 9_990, currency: "USD"), nil),
            (base.without("currency"), nil, nil), (base.without("price"), nil, nil),
            (base.with("price", "9.99"), nil, nil),
            (
                base.with("price", "0").with("revocationPercentage", "0"),
                SalePrice(thousandths: 0, currency: "USD"), 0
            ),
            (base.without("price").with("revocationPercentage", "33333"), nil, 33_333),
            (base.without("price").with("revocationPercentage", "100000"), nil, 100_000),
            (base.without("price").with("revocationPercentage", "100001"), nil, nil),
            (base.without("price").with("revocationPercentage", "-1"), nil, nil),
        ] as [(json: PayloadJSON, price: SalePrice?, percentage: Int?)])
    func price(json: PayloadJSON, price: SalePrice?, percentage: Int?) throws {
        let sale = try #require(try Self.only(json).sale)
        #expect(sale.price == price)
        #expect(sale.revocationPercentage == percentage)
    }

    @Test("What only this source tells is kept with it")
    func kept() throws {
        let sale = try #require(
            try Self.only(
                Self.base.with("revocationType", #""FAMILY_REVOKE""#)
                    .with("billingPlanType", #""MONTHLY""#)
                    .with("appAccountToken", #""5f8cb3b6""#)
            ).sale)
        #expect(sale.isFamilyRevocation)
        #expect(sale.isMonthlyCommitment)
        #expect(sale.accountToken == "5f8cb3b6")
        let other = try #require(try Self.only(Self.base).sale)
        #expect(!other.isFamilyRevocation)
        #expect(!other.isMonthlyCommitment)
        #expect(other.accountToken == nil)
    }

    @Test(
        "The type says the product's kind; one that Apple added since says none",
        arguments: [
            ("Auto-Renewable Subscription", .autoRenewable),
            ("Non-Renewing Subscription", .nonRenewing), ("Non-Consumable", .nonConsumable),
            ("Consumable", .consumable), ("Gift", nil), ("consumable", nil),
        ] as [(type: String, kind: ProductKind?)])
    func kind(type: String, kind: ProductKind?) throws {
        let receipt = try Self.history([Self.base.with("type", type.jsonQuoted)])
        #expect(receipt.kinds["pro.monthly"] == kind)
    }

    @Test("Several renewal infos of one chain are merged, and the app's own facts are read")
    func renewals() throws {
        let off = PayloadJSON.renewal.with("autoRenewStatus", "0")
        let receipt = try Self.history([
            Self.base, off.with("expirationIntent", "2"), .renewal,
            off.with("originalTransactionId", #""7""#), off.without("originalTransactionId"),
            .appTransaction,
        ])
        #expect(receipt.renewals.map(\.originalID) == ["450000000000017", "7"])
        #expect(receipt.renewals.map(\.willRenew) == [true, false])
        #expect(receipt.renewals.first?.expirationIntent == .billing)
        #expect(receipt.originalApplicationVersion == "4.9")
        #expect(receipt.originalPurchaseAt == Instant(milliseconds: 1_690_000_000_000))
        #expect(receipt.transactions.count == 1)
    }
}
