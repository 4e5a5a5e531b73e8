import Foundation
import Testing

@testable import Reconcile

/// Exceptions from the expected values are rules about the answer's content, never file names.
/// To add a case: a file in Tests/Fixtures or in a folder of RECONCILE_CORPUS, and its rows in
/// EXPECT.csv.
@Suite("The corpus of answers and receipts")
struct CorpusTests {
    @Test("Each file has a row, and each row a file; no real file is lost", arguments: Corpus.all)
    func complete(corpus: Corpus) throws {
        let receipts = corpus.receipts.map(\.file)
        #expect(try receipts.sorted() == corpus.files(in: "receipts"))
        #expect(
            try corpus.rows("response").map(\.file).sorted() == corpus.files(in: "responses"))
        guard corpus.isReal else { return }
        #expect(receipts.count { $0.hasSuffix(".der") } >= 74)
        #expect(receipts.count { $0.hasSuffix(".plist") } >= 9)
        #expect(corpus.rows("response").count >= 92)
    }

    @Test("Each answer is read as by Foundation, each chain as expected", arguments: Corpus.all)
    func answers(corpus: Corpus) throws {
        var agreeing = 0
        let items = Dictionary(grouping: corpus.rows("response-item"), by: \.file)
        for row in corpus.rows("response") {
            let bytes = try corpus.bytes(of: row.file)
            #expect(Differential.error(in: bytes) == nil, "\(row.file)")
            #expect(Differential.disagreement(on: bytes) == nil, "\(row.file)")
            guard !row["status"].isEmpty else {
                #expect(throws: VerifyReceiptAnswer.Unreadable.self, "\(row.file)") {
                    try VerifyReceiptAnswer.read(bytes, from: .production)
                }
                continue
            }
            var answer = try ComparedAnswer(bytes, of: corpus)
            let rows = items[row.file] ?? []
            for row in [row] + rows { answer.compare(with: row, of: rows) }
            #expect(answer.found == [], "\(row.file)")
            if answer.rules.isEmpty { agreeing += rows.count }
        }
        #expect(agreeing > 0, "without any exception")
    }

    @Test("The precheck finds each receipt's expected kind and app", arguments: Corpus.all)
    func precheck(corpus: Corpus) throws {
        for row in corpus.receipts {
            let text = try corpus.storedText(of: row.file)
            let isBlank = !text.contains { $0 > 0x20 }
            // Expected is the part of a cut file that can be read; we treat it as no receipt.
            let bytes = try corpus.bytes(of: row.file)
            guard !(row.isBroken && Self.isWrappedTwice(bytes)) else { continue }
            let isNone = row.isBroken || Self.isOpenList(bytes)
            let others: Unusable? = isBlank ? .empty : isNone ? .notAReceipt : nil
            let unusable = row["environment"] == "Xcode" ? .xcode : others
            switch LocalReceipt(ReceiptData(text: text)) {
            case .sendable(let receipt):
                #expect(unusable == nil, "\(row.file)")
                #expect(row["bundle_id"] == receipt.bundle?.text ?? "", "\(row.file)")
            case .unusable(let reason): #expect(unusable == reason, "\(row.file)")
            case .signed, .transaction: Issue.record("\(row.file) is a receipt")
            }
        }
        let transactions = try corpus.files(in: "jws")
        #expect(!transactions.isEmpty)
        for file in transactions {
            let text = try corpus.storedText(of: file)
            // It is stored as it is, or in base64.
            let isSigned =
                if case .signed(let jws) = LocalReceipt(ReceiptData(text: text)) {
                    jws.starts(with: "eyJ".utf8)
                } else {
                    false
                }
            #expect(isSigned, "\(file)")
        }
    }

    @Test("Each JWS is genuine only if it is expected to be Apple's", arguments: Corpus.all)
    func signatures(corpus: Corpus) throws {
        let verifier = JWSVerifier(corpus.roots)
        for row in corpus.rows("receipt") where row.file.hasPrefix("jws/") {
            let isApples = row["signature_ok"] == "True" && row["chain"] == "AppleRootCA-G3"
            let jws = JWS(try corpus.bytes(of: row.file))
            let verification = jws.map { verifier.verification(of: $0, now: .asOf) }
            #expect(verification?.isGenuine ?? false == isApples, "\(row.file)")
        }
    }

    /// A PKCS#7 whose content is wrapped once more, which we read and EXPECT.csv may not.
    private static func isWrappedTwice(_ bytes: [UInt8]) -> Bool {
        (try? SignedData(bytes))?.content.first == 4
    }

    /// A property list without its last brace.
    private static func isOpenList(_ bytes: [UInt8]) -> Bool {
        bytes.first == UInt8(ascii: "{") && bytes.last { $0 > 0x20 } != UInt8(ascii: "}")
    }

    @Test("Inspection finds the expected signer, app, version and purchases", arguments: Corpus.all)
    func inspection(corpus: Corpus) throws {
        let items = Dictionary(grouping: corpus.rows("receipt-item"), by: \.file)
        for row in corpus.receipts {
            let bytes = try corpus.bytes(of: row.file)
            guard !(row.isBroken && Self.isWrappedTwice(bytes)) else { continue }
            guard !row.isBroken, !Self.isOpenList(bytes) else {
                #expect(throws: NotAReceipt.self, "\(row.file)") { try inspect(row, in: corpus) }
                continue
            }
            let inspection = try inspect(row, in: corpus)
            guard !row.file.hasSuffix(".plist") else {
                inspectOld(row, inspection, of: corpus)
                continue
            }
            let isGenuine =
                row["signature_ok"] == "True" && row["chain"] == corpus.authority
                && row["chain_at_creation"] == "True" && !row["note"].hasPrefix("not genuine")
            #expect(inspection.isGenuine == isGenuine, "\(row.file)")
            expectAppleForm(bytes, isGenuine: isGenuine, row, of: corpus)
            let payload = try #require(inspection.payload, "\(row.file)")
            #expect(ExpectedContent(payload) == ExpectedContent(row), "\(row.file)")
            let expected = (items[row.file] ?? []).map(ExpectedPurchase.init)
            let purchases = payload.purchases.map(ExpectedPurchase.init)
            #expect(purchases.counted == expected.counted, "\(row.file)")
        }
    }

    /// Such a receipt lacks the certificate between signer and root, which we know of Apple.
    private func inspectOld(
        _ row: Corpus.Expectation, _ inspection: Inspection, of corpus: Corpus
    ) {
        let fits = row["signature_ok"] == "True"
        #expect((inspection.failedStep == nil) == fits, "\(row.file)")
        let isOfApple =
            row["chain"] == corpus.authority || row["note"].contains("signature version")
        #expect(inspection.isGenuine == (fits && isOfApple), "\(row.file)")
        let bytes = (try? corpus.bytes(of: row.file)) ?? []
        expectAppleForm(bytes, isGenuine: inspection.isGenuine, row, of: corpus)
        let bundle = inspection.fields.first { $0.name == "bid" }?.value
        #expect(bundle == row["bundle_id"], "\(row.file)")
    }

    /// Real receipts have no bytes but those that Apple writes; some fixtures are BER.
    private func expectAppleForm(
        _ bytes: [UInt8], isGenuine: Bool, _ row: Corpus.Expectation, of corpus: Corpus
    ) {
        guard corpus.isReal || !isGenuine else { return }
        let content = AppleSignature(corpus.roots).content(of: SendableReceipt(encoding: bytes))
        #expect((content?.isWhole == true) == isGenuine, "\(row.file)")
    }

    private func inspect(_ row: Corpus.Expectation, in corpus: Corpus) throws -> Inspection {
        try Inspection(corpus.bytes(of: row.file), .asking(trusting: corpus.roots))
    }
}

/// What a receipt says of its app; empty where it says nothing.
private struct ExpectedContent: Equatable {
    let bundle: String
    let environment: String
    let version: String
    let originalVersion: String
    let createdAt: String
    let purchases: String

    init(_ payload: ReceiptPayload) {
        bundle = payload.bundle ?? ""
        environment = payload.environment ?? ""
        version = payload.applicationVersion ?? ""
        originalVersion = payload.originalApplicationVersion ?? ""
        createdAt = payload.attributes.first(12)?.text ?? ""
        purchases = "\(payload.purchases.count)"
    }

    init(_ row: Corpus.Expectation) {
        bundle = row["bundle_id"]
        environment = row["environment"]
        version = row["app_version"]
        originalVersion = row["original_app_version"]
        createdAt = row["creation_date"]
        purchases = row["n_transactions"]
    }
}

private struct ExpectedPurchase: Hashable {
    let product: String
    let transaction: String
    let originalTransaction: String
    let purchasedAt: Instant?
    let expiresAt: Instant?
    let cancelledAt: Instant?

    init(_ purchase: InAppPurchase) {
        product = purchase.product?.text ?? ""
        transaction = purchase.transaction?.text ?? ""
        originalTransaction = purchase.originalTransaction?.text ?? ""
        purchasedAt = purchase.purchasedAt
        expiresAt = purchase.expiresAt
        cancelledAt = purchase.cancelledAt
    }

    init(_ row: Corpus.Expectation) {
        product = row["product_id"]
        transaction = row["latest_transaction_id"]
        originalTransaction = row["original_transaction_id"]
        if let noted = row.notedTimes {
            purchasedAt = noted["purchase"]
            expiresAt = noted["expires"]
            cancelledAt = noted["cancelled"]
        } else {
            purchasedAt = row.instant("last_purchase_date_ms")
            expiresAt = row.instant("last_expires_date_ms")
            cancelledAt = row.instant("cancellation_date_ms")
        }
    }
}

extension Array where Element: Hashable {
    /// How often each element is there.
    fileprivate var counted: [Element: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
