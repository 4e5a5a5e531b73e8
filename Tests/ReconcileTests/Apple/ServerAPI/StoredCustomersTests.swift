import Testing

@testable import Reconcile
@testable import TestSupport

extension StoredReceipt {
    static func row(_ id: ReceiptID, holding data: [UInt8], for bundle: BundleID = "acme") -> Self {
        StoredReceipt(
            id: id, user: "ann", bundle: bundle, data: ReceiptData(text: data), storedAt: .asOf)
    }

    /// A receipt with purchases of these ids.
    /// - Parameter isGenuine: whether Apple signed it, as the tests have it.
    static func receipt(
        _ id: ReceiptID, naming ids: String..., app: String = "acme", for bundle: BundleID = "acme",
        isGenuine: Bool = true
    ) -> Self {
        let payload = PayloadForge(
            bundle: app, purchases: ids.map { PayloadForge.purchase(id: "9" + $0, of: $0) })
        let bytes =
            isGenuine ? payload.signed() : ReceiptAuthority.other.receipt(payload.encoded)
        return .row(id, holding: Base64.encode(bytes), for: bundle)
    }

    /// A transaction id.
    static func id(_ id: ReceiptID, _ transaction: String, for bundle: BundleID = "acme") -> Self {
        .row(id, holding: Array(transaction.utf8), for: bundle)
    }
}

/// To add a case: a row with what is stored, and by what it is asked about with each `--source`.
@Suite("What is asked about a stored row")
struct StoredCustomersTests {
    /// What becomes of a row before the first answer.
    enum Asked: Equatable, Sendable {
        /// verifyReceipt is asked about the receipt.
        case receipt
        /// The API is asked about the customer with this transaction.
        case customer(TransactionID)
        case both(TransactionID)
        case nobody(ReceiptOutcome)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let row: StoredReceipt
        let byReceipt, byAPI, byBoth: Asked

        init(
            _ label: String, _ row: StoredReceipt, verifyReceipt: Asked, serverAPI: Asked,
            both: Asked
        ) {
            testDescription = label
            self.row = row
            byReceipt = verifyReceipt
            byAPI = serverAPI
            byBoth = both
        }

        /// The same with each source.
        init(_ label: String, _ row: StoredReceipt, always asked: Asked) {
            self.init(label, row, verifyReceipt: asked, serverAPI: asked, both: asked)
        }
    }

    private static func signed(
        _ payload: PayloadJSON, for bundle: BundleID = "acme", by forge: JWSForge = JWSForge()
    ) -> StoredReceipt {
        .row("r1", holding: forge.text(payload), for: bundle)
    }

    private static let receipts = [
        Case(
            "a receipt", .receipt("r1", naming: "10"), verifyReceipt: .receipt,
            serverAPI: .customer("10"), both: .both("10")),
        Case(
            "a receipt that is stored for another app, and names one with a key",
            .receipt("r1", naming: "10", for: "keyless"), verifyReceipt: .receipt,
            serverAPI: .customer("10"), both: .both("10")),
        Case(
            "a receipt that names an app without a key",
            .receipt("r1", naming: "10", app: "keyless"), always: .receipt),
        Case("a receipt without a purchase", .receipt("r1"), always: .receipt),
        Case(
            "a receipt that Apple did not sign", .receipt("r1", naming: "10", isGenuine: false),
            always: .receipt),
        Case(
            "a receipt whose purchase has the id of Xcode's", .receipt("r1", naming: "0"),
            verifyReceipt: .receipt, serverAPI: .customer("90"), both: .both("90")),
        Case(
            "no receipt", .row("r1", holding: Array("abc".utf8)),
            always: .nobody(.unusable(.notAReceipt))),
        Case("nothing", .row("r1", holding: []), always: .nobody(.unusable(.empty))),
    ]

    private static let jws = [
        Case("a signed transaction", signed(.sale("11", of: "10")), always: .customer("10")),
        Case(
            "a signed transaction without an original id",
            signed(PayloadJSON.sale("11").without("originalTransactionId")),
            always: .customer("11")),
        Case("a signed renewal info", signed(.renewal), always: .customer("450000000000017")),
        Case(
            "a signed renewal info for an app without a key", signed(.renewal, for: "keyless"),
            always: .nobody(.unusable(.jws))),
        Case(
            "a signed transaction of an app without a key",
            signed(PayloadJSON.sale("11").with("bundleId", #""keyless""#)),
            always: .nobody(.unusable(.jws))),
        Case(
            "a signed app transaction, which names no purchase", signed(.appTransaction),
            always: .nobody(.unusable(.jws))),
        Case(
            "a notification", signed(.notification(of: JWSForge().text())),
            always: .nobody(.unusable(.jws))),
        Case(
            "a transaction of Xcode", signed(PayloadJSON.sale("11").of("Xcode")),
            always: .nobody(.unusable(.xcode))),
        Case(
            "a test on the developer's machine", signed(PayloadJSON.sale("11").of("LocalTesting")),
            always: .nobody(.unusable(.xcode))),
        Case(
            "a transaction by another authority",
            signed(
                .sale("11"), by: JWSForge(certificates: JWSAuthority.other.certificates)),
            always: .nobody(.rejected(.signature))),
        Case(
            "a transaction with another signature",
            signed(.sale("11"), by: JWSForge(key: SigningKey(on: .p256))),
            always: .nobody(.rejected(.signature))),
        Case(
            "a JWS whose payload is no JSON", .row("r1", holding: Array("eyJhIjoxfQ.eyJ9.QQ".utf8)),
            always: .nobody(.rejected(.signature))),
    ]

    private static let ids = [
        Case("an id", .id("r1", "10"), always: .customer("10")),
        Case("an id with white space", .id("r1", " \n10\t"), always: .customer("10")),
        Case(
            "an id of 20 digits", .id("r1", "12345678901234567890"),
            always: .customer("12345678901234567890")),
        Case("an id that begins with zeros", .id("r1", "0010"), always: .customer("0010")),
        Case(
            "an id for an app without a key", .id("r1", "10", for: "keyless"),
            always: .nobody(.unverified(.noAPIKey))),
        Case("the id of Xcode", .id("r1", "0"), always: .nobody(.unusable(.notAReceipt))),
        Case(
            "21 digits", .id("r1", "123456789012345678901"),
            always: .nobody(.unusable(.notAReceipt))),
        Case("an id with a sign", .id("r1", "-10"), always: .nobody(.unusable(.notAReceipt))),
        Case("two ids", .id("r1", "10 11"), always: .nobody(.unusable(.notAReceipt))),
    ]

    @Test(
        "Each row is asked about by the source that --source and its app's key choose",
        arguments: receipts + jws + ids)
    func asked(row: Case) async throws {
        let expected: [(SourceChoice, Asked)] = [
            (.verifyReceipt, row.byReceipt), (.serverAPI, row.byAPI), (.both, row.byBoth),
        ]
        for (choice, asked) in expected {
            let scene = try APIScene(
                ScriptedAPI([]), by: choice, keys: "acme = issuer KEY1 key.p8")
            let inquiry = try await scene.inquiry([row.row])
            #expect(Self.asked(inquiry) == asked, "\(choice)")
            #expect(inquiry.questions.allSatisfy { $0.receipt == "r1" }, "\(choice)")
        }
    }

    private static func asked(_ inquiry: Inquiry) -> Asked? {
        let receipts = inquiry.questions.count { $0.question.receipt != nil }
        let customers = inquiry.askedCustomers
        switch (receipts, customers.count) {
        case (0, 0):
            let answers = inquiry.concluded { refusal, _ in refusal.confirmed }
            return .nobody(ReceiptOutcome(answers.reports[0].validation))
        case (1, 0): return .receipt
        case (0, 1): return .customer(customers[0])
        case (1, 1): return .both(customers[0])
        default: return nil
        }
    }
}
