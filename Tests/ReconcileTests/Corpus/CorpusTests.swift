import Foundation
import Testing

@testable import Reconcile

/// Compares every answer of a corpus with the expert's reading. Exceptions are rules about the
/// answer's content, never file names.
@Suite("The corpus of answers")
struct CorpusAnswerTests {
    @Test("Every answer is read completely, as Foundation reads it", arguments: Corpus.all)
    func readable(corpus: Corpus) throws {
        for file in try corpus.files(in: "responses") {
            #expect(Differential.verdict(of: try corpus.bytes(of: file)) == .bothTake, "\(file)")
        }
    }

    @Test("The reader agrees with the expert's values for each answer", arguments: Corpus.all)
    func answers(corpus: Corpus) throws {
        for row in try corpus.rows("response") {
            let answer = try ComparedAnswer(row.file, of: corpus)
            #expect(answer.disagreements(with: row) == [], "\(row.file)")
        }
    }

    @Test(
        "The judgement agrees with the expert's values for each chain and product",
        arguments: Corpus.all)
    func items(corpus: Corpus) throws {
        var agreeing = 0
        for (file, rows) in Dictionary(grouping: try corpus.rows("response-item"), by: \.file) {
            let answer = try ComparedAnswer(file, of: corpus)
            for row in rows { #expect(answer.disagreements(with: row, of: rows) == [], "\(file)") }
            if answer.rules.isEmpty { agreeing += rows.count }
        }
        // Without any exception.
        #expect(agreeing > 0)
    }
}

@Suite("The corpus of receipts")
struct CorpusReceiptTests {
    @Test(
        "The precheck agrees with the expert on each receipt's kind and app", arguments: Corpus.all)
    func precheck(corpus: Corpus) throws {
        for row in try corpus.rows("receipt") {
            let text = try corpus.storedText(of: row.file)
            // The expert reads part of a file that is cut off; we treat it as no receipt.
            let unusable: Unusable? =
                if row["environment"] == "Xcode" {
                    .xcode
                } else if !text.contains(where: { $0 > 0x20 }) {
                    .empty
                } else if try row.isBroken || Self.isOpenList(corpus.bytes(of: row.file)) {
                    .notAReceipt
                } else {
                    nil
                }
            switch LocalReceipt(ReceiptData(text: text)) {
            case .sendable(let receipt):
                #expect(unusable == nil && row["bundle_id"] == receipt.bundle?.text ?? "")
            case .unusable(let reason): #expect(unusable == reason, "\(row.file)")
            }
        }
    }

    /// A property list without its last brace.
    private static func isOpenList(_ bytes: [UInt8]) -> Bool {
        bytes.first == UInt8(ascii: "{") && bytes.last { $0 > 0x20 } != UInt8(ascii: "}")
    }

    @Test("A StoreKit 2 transaction is not taken for a receipt", arguments: Corpus.all)
    func transactions(corpus: Corpus) throws {
        let files = try corpus.files(in: "jws")
        #expect(!files.isEmpty)
        for file in files {
            let local = LocalReceipt(ReceiptData(text: try corpus.storedText(of: file)))
            #expect(local == .unusable(.jws), "\(file)")
        }
    }

    @Test(
        "The inspection agrees with the expert: who signed, app, version and every purchase",
        arguments: Corpus.all)
    func inspection(corpus: Corpus) throws {
        let items = Dictionary(grouping: try corpus.rows("receipt-item"), by: \.file)
        for row in try corpus.rows("receipt") where !row.file.hasSuffix(".plist") {
            guard !row.isBroken else {
                #expect(throws: NotAReceipt.self, "\(row.file)") { try inspect(row, in: corpus) }
                continue
            }
            let inspection = try inspect(row, in: corpus)
            let isGenuine =
                row["signature_ok"] == "True" && row["chain"] == corpus.authority
                && row["chain_at_creation"] == "True"
            #expect(inspection.isGenuine == isGenuine, "\(row.file)")
            let payload = inspection.payload
            let summary = [
                payload?.bundle, payload?.environment, payload?.applicationVersion,
                payload?.originalApplicationVersion, payload?.attributes.first(12)?.text,
                payload.map { String($0.purchases.count) },
            ].map { $0 ?? "" }
            let told = """
                bundle_id environment app_version original_app_version creation_date n_transactions
                """
            #expect(summary == row.cells(told), "\(row.file)")
            let purchases = payload?.purchases.map { Self.summary($0).joined(separator: " ") }
            let expected = (items[row.file] ?? []).map { item in
                item.cells(
                    """
                    product_id latest_transaction_id original_transaction_id \
                    last_purchase_date_ms last_expires_date_ms cancellation_date_ms
                    """
                ).joined(separator: " ")
            }
            #expect(purchases?.sorted() == expected.sorted(), "\(row.file)")
        }
    }

    private static func summary(_ purchase: InAppPurchase) -> [String] {
        let times = [purchase.purchasedAt, purchase.expiresAt, purchase.cancelledAt]
        let ids = [
            purchase.product?.text, purchase.transaction?.text, purchase.originalTransaction?.text,
        ]
        return (ids + times.map { $0.map { String($0.milliseconds) } }).map { $0 ?? "" }
    }

    /// Signatures of version 3 lead to the root; for the others an intermediate certificate is
    /// missing.
    @Test("iOS 6 receipts are signed as well", arguments: Corpus.all)
    func iOS6(corpus: Corpus) throws {
        for row in try corpus.rows("receipt") where row.file.hasSuffix(".plist") {
            guard try !Self.isOpenList(corpus.bytes(of: row.file)) else {
                #expect(throws: NotAReceipt.self) { try inspect(row, in: corpus) }
                continue
            }
            let inspection = try inspect(row, in: corpus)
            let fits = row["signature_ok"] == "True"
            #expect((inspection.failedStep == nil) == fits, "\(row.file)")
            #expect(inspection.isGenuine == (fits && row["note"].contains("version 3")))
            let bundle = inspection.fields.first { $0.name == "bid" }?.value
            #expect(bundle == row["bundle_id"])
        }
    }

    private func inspect(_ row: Corpus.Expectation, in corpus: Corpus) throws -> Inspection {
        var question = InspectionQuestion()
        question.roots = corpus.roots
        return try Inspection(try corpus.bytes(of: row.file), question)
    }
}

@Suite("The files of a corpus")
struct CorpusFilesTests {
    @Test("Each file has a row, and each row a file", arguments: Corpus.all)
    func complete(corpus: Corpus) throws {
        for (folder, kind) in [("receipts", "receipt"), ("responses", "response")] {
            #expect(try corpus.rows(kind).map(\.file).sorted() == corpus.files(in: folder))
        }
    }

    @Test(
        "The corpus of real files is not smaller than it was",
        .enabled(if: Corpus.real != nil, "RECONCILE_CORPUS is not set"))
    func size() throws {
        let corpus = try #require(Corpus.real)
        let receipts = try corpus.rows("receipt")
        #expect(receipts.count { $0.file.hasSuffix(".der") } >= 102)
        #expect(receipts.count { $0.file.hasSuffix(".plist") } >= 11)
        #expect(try corpus.rows("response").count >= 122)
    }
}
