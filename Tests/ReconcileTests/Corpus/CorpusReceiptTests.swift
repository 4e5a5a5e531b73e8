import Testing

@testable import Reconcile

@Suite("The corpus of receipts")
struct CorpusReceiptTests {
    @Test(
        "The precheck agrees with the expert on each receipt's kind and app", arguments: Corpus.all)
    func precheck(corpus: Corpus) throws {
        for row in try corpus.rows("receipt") {
            let text = try corpus.storedText(of: row.file)
            let expected = try expectation(row, text, corpus.bytes(of: row.file))
            switch LocalReceipt(ReceiptData(text: text)) {
            case .sendable(let receipt):
                #expect(expected == .sent(bundle: receipt.bundle?.text ?? ""), "\(row.file)")
            case .unusable(let reason):
                #expect(expected == .unusable(reason), "\(row.file)")
            }
        }
    }

    private enum Expected: Equatable {
        case sent(bundle: String)
        case unusable(Unusable)
    }

    /// The expert reads part of a file that is cut off; we treat an incomplete file as no receipt
    /// (SPEC §2.1).
    private func expectation(
        _ row: Corpus.Expectation, _ text: [UInt8], _ bytes: [UInt8]
    ) -> Expected {
        guard row["environment"] != "Xcode" else { return .unusable(.xcode) }
        guard text.contains(where: { $0 > 0x20 }) else { return .unusable(.empty) }
        return row.isBroken || Self.isOpenList(bytes)
            ? .unusable(.notAReceipt) : .sent(bundle: row["bundle_id"])
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
            let name = row.file
            guard !row.isBroken else {
                #expect(throws: NotAReceipt.self, "\(name)") { try inspect(row, in: corpus) }
                continue
            }
            let inspection = try inspect(row, in: corpus)
            let isGenuine =
                row["signature_ok"] == "True" && row["chain"] == corpus.authority
                && row["chain_at_creation"] == "True"
            #expect(inspection.isGenuine == isGenuine, "\(name)")
            #expect(Self.summary(inspection) == Self.summary(row), "\(name)")
            let purchases = inspection.payload?.purchases.map(Self.summary).sorted()
            #expect(purchases == (items[name] ?? []).map(Self.summary(item:)).sorted(), "\(name)")
        }
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

    private static func summary(_ inspection: Inspection) -> [String?] {
        let payload = inspection.payload
        return [
            payload?.bundle, payload?.environment, payload?.applicationVersion,
            payload?.originalApplicationVersion, payload?.attributes.first(12)?.text,
            payload.map { String($0.purchases.count) },
        ].map { $0 ?? "" }
    }

    private static func summary(_ row: Corpus.Expectation) -> [String?] {
        [
            "bundle_id", "environment", "app_version", "original_app_version", "creation_date",
            "n_transactions",
        ].map { row[$0] }
    }

    private static func summary(_ purchase: InAppPurchase) -> String {
        let times = [purchase.purchasedAt, purchase.expiresAt, purchase.cancelledAt]
        return
            ([
                purchase.product?.text, purchase.transaction?.text,
                purchase.originalTransaction?.text,
            ] + times.map { $0.map { String($0.milliseconds) } })
            .map { $0 ?? "" }.joined(separator: " ")
    }

    private static func summary(item row: Corpus.Expectation) -> String {
        [
            "product_id", "latest_transaction_id", "original_transaction_id",
            "last_purchase_date_ms", "last_expires_date_ms", "cancellation_date_ms",
        ].map { row[$0] }.joined(separator: " ")
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
