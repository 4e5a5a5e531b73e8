import Testing

@testable import Reconcile

@Suite("The corpus of receipts", .enabled(if: Corpus.isAtHand, "RECONCILE_CORPUS is not set"))
struct CorpusReceiptTests {
    @Test("The precheck agrees with the expert on each receipt's kind and app")
    func receipts() throws {
        var compared = 0
        for row in try Corpus.expectations() where row.kind == "receipt" {
            let bytes = try Corpus.bytes(of: row.file)
            compared += 1
            let expected = expectation(row, bytes)
            switch LocalReceipt(ReceiptData(text: Base64.encode(bytes))) {
            case .sendable(let receipt):
                #expect(expected == .sent(bundle: receipt.bundle?.text ?? ""), "\(row.file)")
            case .unusable(let reason):
                #expect(expected == .unusable(reason), "\(row.file)")
            }
        }
        #expect(compared > 0)
    }

    private enum Expected: Equatable {
        case sent(bundle: String)
        case unusable(Unusable)
    }

    /// The expert reads part of a file that is cut off; we treat an incomplete file as no receipt
    /// (SPEC §2.1).
    private func expectation(_ row: Corpus.Expectation, _ bytes: [UInt8]) -> Expected {
        guard row["environment"] != "Xcode" else { return .unusable(.xcode) }
        let isOpenList =
            bytes.first == UInt8(ascii: "{") && bytes.last { $0 > 0x20 } != UInt8(ascii: "}")
        let isBroken = row["environment"].isEmpty && row["bundle_id"].isEmpty
        return isOpenList || isBroken
            ? .unusable(.notAReceipt) : .sent(bundle: row["bundle_id"])
    }

    @Test("A StoreKit 2 transaction is not taken for a receipt")
    func transactions() throws {
        let files = try Corpus.files(in: "jws")
        #expect(!files.isEmpty)
        for file in files {
            let local = LocalReceipt(ReceiptData(text: try Corpus.bytes(of: file)))
            #expect(local == .unusable(.jws), "\(file)")
        }
    }
}
