import Testing

@testable import Reconcile
@testable import TestSupport

/// A payload, and what it is about.
struct ReadPayload: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let payload: PayloadJSON
    let kind: SignedKind
    var environment: String? = "Production"
    var bundle: BundleID? = "acme"
    var isOfXcode = false

    init(
        _ label: String, _ payload: PayloadJSON, _ kind: SignedKind,
        environment: String? = "Production", bundle: BundleID? = "acme", isOfXcode: Bool = false
    ) {
        testDescription = label
        self.payload = payload
        self.kind = kind
        self.environment = environment
        self.bundle = bundle
        self.isOfXcode = isOfXcode
    }
}

/// To add a case: a `ReadPayload` with a payload and what it is about; a date as JSON with what is
/// read; or a text that is no JWS.
@Suite("The payload of a JWS")
struct SignedPayloadTests {
    private static func read(_ json: PayloadJSON) throws -> SignedPayload {
        try #require(SignedPayload(Array(json.text.utf8)))
    }

    @Test(
        "Its members say what it is about, of which app, and from where",
        arguments: [
            ReadPayload("a transaction", .transaction, .transaction),
            ReadPayload("a renewal info", .renewal, .renewalInfo, bundle: nil),
            ReadPayload("an app transaction", .appTransaction, .appTransaction),
            ReadPayload(
                "a notification", .notification(of: JWSForge().text()), .notification),
            ReadPayload(
                "a notification without an object",
                PayloadJSON([("notificationType", #""TEST""#)]), .notification, environment: nil,
                bundle: nil),
            ReadPayload(
                "a transaction that names its app transaction",
                .transaction.with("appTransactionId", #""7""#), .transaction),
            ReadPayload(
                "the sandbox", .transaction.with("environment", #""Sandbox""#), .transaction,
                environment: "Sandbox"),
            ReadPayload(
                "Xcode", .transaction.with("environment", #""Xcode""#), .transaction,
                environment: "Xcode", isOfXcode: true),
            ReadPayload(
                "an app transaction of Xcode", .appTransaction.with("receiptType", #""Xcode""#),
                .appTransaction, environment: "Xcode", isOfXcode: true),
            ReadPayload(
                "a test on the developer's machine",
                .renewal.with("environment", #""LocalTesting""#), .renewalInfo,
                environment: "LocalTesting", bundle: nil, isOfXcode: true),
            ReadPayload(
                "an unknown environment", .transaction.with("environment", #""Mars""#),
                .transaction, environment: "Mars"),
            ReadPayload(
                "no environment, as in 2021", .transaction.without("environment"), .transaction,
                environment: nil),
            ReadPayload(
                "something else that Apple signs",
                PayloadJSON([("locale", #""en_US""#), ("bundleId", #""acme""#)]), .other,
                environment: nil),
        ])
    func kinds(row: ReadPayload) throws {
        let payload = try Self.read(row.payload)
        #expect(payload.kind == row.kind)
        #expect(payload.environment == row.environment)
        #expect(payload.bundle == row.bundle)
        #expect(payload.isOfXcode == row.isOfXcode)
    }

    @Test("A transaction is read as Apple writes it")
    func transaction() throws {
        let json = PayloadJSON.transaction
            .with("revocationDate", "1789999999000").with("revocationReason", "1")
            .with("revocationType", #""REFUND_PRORATED""#).with("revocationPercentage", "67932")
            .with("isUpgraded", "true").with("offerType", "1")
            .with("offerDiscountType", #""FREE_TRIAL""#).with("offerIdentifier", #""spring""#)
            .with("billingPlanType", #""MONTHLY""#).with("appAccountToken", #""7e3f""#)
        let transaction = SignedTransaction(try Self.read(json))
        #expect(transaction.id == "480000000000013")
        #expect(transaction.originalID == "450000000000017")
        #expect(transaction.bundle == "acme")
        #expect(transaction.product == "pro.monthly")
        #expect(transaction.type == "Auto-Renewable Subscription")
        #expect(transaction.subscriptionGroup == "20501")
        #expect(transaction.lineItem == "480000000000014")
        #expect(transaction.quantity == 1)
        #expect(transaction.purchasedAt.instant?.milliseconds == 1_789_136_000_000)
        #expect(transaction.originallyPurchasedAt.instant?.milliseconds == 1_780_136_000_000)
        #expect(transaction.expiresAt.instant?.milliseconds == 1_791_728_000_000)
        #expect(transaction.revokedAt.instant?.milliseconds == 1_789_999_999_000)
        #expect(transaction.revocationReason == "1")
        #expect(transaction.revocationType == "REFUND_PRORATED")
        #expect(transaction.revocationPercentage == 67_932)
        #expect(transaction.isUpgraded)
        #expect(transaction.ownership == "PURCHASED")
        #expect(transaction.offerType == "1")
        #expect(transaction.offerDiscountType == "FREE_TRIAL")
        #expect(transaction.offerIdentifier == "spring")
        #expect(transaction.price == 9_990)
        #expect(transaction.currency == "USD")
        #expect(transaction.billingPlanType == "MONTHLY")
        #expect(transaction.appAccountToken == "7e3f")
        #expect(transaction.environment == "Production")
        #expect(transaction.signedAt.instant?.milliseconds == Int64(PayloadJSON.signedAt))
    }

    @Test("Unknown values of an enumeration are kept as text")
    func unknownValues() throws {
        let json = PayloadJSON.transaction
            .with("type", #""Timeshare""#).with("inAppOwnershipType", #""ORGANIZATION""#)
            .with("offerType", "9").with("revocationType", #""NEW""#)
            .with("future", #"{"x":[null,1]}"#)
        let transaction = SignedTransaction(try Self.read(json))
        #expect(transaction.type == "Timeshare")
        #expect(transaction.ownership == "ORGANIZATION")
        #expect(transaction.offerType == "9")
        #expect(transaction.revocationType == "NEW")
    }

    @Test("A null, an empty text and a value of another type count as absent")
    func absent() throws {
        let json = PayloadJSON.transaction
            .with("revocationDate", "null").with("price", "null").with("currency", #""""#)
            .with("productId", "[1]").with("quantity", "true").with("isUpgraded", "null")
        let transaction = SignedTransaction(try Self.read(json))
        #expect(transaction.revokedAt == .absent)
        #expect(transaction.price == nil)
        #expect(transaction.currency == nil)
        #expect(transaction.product == nil)
        #expect(transaction.quantity == nil)
        #expect(!transaction.isUpgraded)
    }

    @Test(
        "A date is in milliseconds, rounded down, or it is unreadable",
        arguments: [
            ("1789136000000", SignedDate.instant(Instant(milliseconds: 1_789_136_000_000))),
            ("1697679936049.7297", .instant(Instant(milliseconds: 1_697_679_936_049))),
            ("-1.5", .instant(Instant(milliseconds: -2))),
            ("null", .absent), (#""""#, .unreadable), ("true", .unreadable), ("[]", .unreadable),
            (#""2026-09-21""#, .unreadable), ("99999999999999999", .unreadable),
        ])
    func dates(json: String, expected: SignedDate) throws {
        let payload = try Self.read(.transaction.with("purchaseDate", json))
        #expect(payload.date("purchaseDate") == expected)
    }

    @Test("A renewal info and an app transaction are read as Apple writes them")
    func others() throws {
        let json = PayloadJSON.renewal
            .with("expirationIntent", "6").with("isInBillingRetryPeriod", "true")
            .with("gracePeriodExpiresDate", "1790000000000")
        let renewal = SignedRenewal(try Self.read(json))
        #expect(renewal.originalID == "450000000000017")
        #expect(renewal.product == "pro.monthly")
        #expect(renewal.renewsAs == "pro.yearly")
        #expect(renewal.willRenew == true)
        #expect(renewal.expirationIntent == "6")
        #expect(renewal.isInBillingRetry)
        #expect(renewal.gracePeriodExpiresAt.instant?.milliseconds == 1_790_000_000_000)
        let app = SignedAppTransaction(try Self.read(.appTransaction))
        #expect(app.id == "700000000000000001")
        #expect(app.bundle == "acme")
        #expect(app.originalApplicationVersion == "4.9")
        #expect(app.originallyPurchasedAt.instant?.milliseconds == 1_690_000_000_000)
        #expect(app.environment == "Production")
        #expect(app.createdAt.instant?.milliseconds == Int64(PayloadJSON.signedAt))
    }

    @Test(
        "What is not a JWS is not read",
        arguments: [
            "", ".", "..", "e30", "e30.e30", "e30.e30.e30.e30", "e30..e30", ".e30.e30",
            "e30=.e30=.", "e30.aGVsbG8.", "e30.W10.", "e30.e30x.", "e 30.e30.", "e30.e31.",
            "e30.eyJhIjoxLCJhIjoyfQ.",
        ])
    func noJWS(text: String) {
        let isBroken = JWS(Array(text.utf8)).flatMap { JWSHeader($0.header) } == nil
        #expect(isBroken)
    }
}
