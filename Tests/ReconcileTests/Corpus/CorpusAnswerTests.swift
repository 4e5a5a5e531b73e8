import Foundation
import Testing

@testable import Reconcile

/// Compares every answer of the corpus with the expert's reading. Exceptions are rules about the
/// answer's content, never file names.
@Suite("The corpus of answers", .enabled(if: Corpus.isAtHand, "RECONCILE_CORPUS is not set"))
struct CorpusAnswerTests {
    @Test("Every answer is read completely, as Foundation reads it")
    func readable() throws {
        let files = try Corpus.files(in: "responses")
        try #require(!files.isEmpty)
        for file in files {
            let bytes = try Corpus.bytes(of: file)
            #expect(Differential.verdict(of: bytes) == .bothTake, "\(file)")
        }
    }

    @Test("The reader agrees with the expert's values for each answer")
    func answers() throws {
        var compared = 0
        for row in try Corpus.expectations() where row.kind == "response" {
            let bytes = try Corpus.bytes(of: row.file)
            let answer = try VerifyReceiptAnswer.read(bytes, from: .production)
            let rules = try ExceptionRule.all(in: bytes, answer)
            let found = AnswerDisagreement.all(row, answer, excepting: rules)
            #expect(found.isEmpty, "\(row.file): \(found)")
            compared += 1
        }
        #expect(compared > 0)
    }

    @Test("The judgement agrees with the expert's values for each chain and product")
    func items() throws {
        var excepted: [ExceptionRule: Int] = [:]
        var agreeing = 0
        for (file, rows) in Dictionary(
            grouping: try Corpus.expectations().filter { $0.kind == "response-item" }, by: \.file)
        {
            let bytes = try Corpus.bytes(of: file)
            let answer = try VerifyReceiptAnswer.read(bytes, from: .production)
            let rules = try ExceptionRule.all(in: bytes, answer)
            for row in rows {
                let found = AnswerDisagreement.all(row, of: rows, answer, excepting: rules)
                #expect(found.isEmpty, "\(file): \(found)")
                for rule in rules { excepted[rule, default: 0] += 1 }
                if found.isEmpty && rules.isEmpty { agreeing += 1 }
            }
        }
        print("corpus: \(agreeing) items agree in every column; in part excepted: \(excepted)")
        #expect(agreeing > 0)
    }
}

/// The reasons for which the expert's reading and ours may differ, each with who is right.
enum ExceptionRule: String, CaseIterable {
    /// The status has no valid receipt, so none is read, whatever else the answer holds.
    case statusOfNoReceipt
    /// One list has a transaction twice, which Apple does not send. SPEC §3: if the two lines
    /// differ both are set aside; the expert takes one of them.
    case transactionTwice
    /// Milliseconds of zeros next to a text of another day: the answer was made anonymous. SPEC §3:
    /// the milliseconds take precedence.
    case zeroMilliseconds
    /// iOS 6: renewal keys are at the top level, for the whole answer; we apply them to every
    /// chain.
    case renewalOfNoChain

    static func all(in bytes: [UInt8], _ answer: VerifyReceiptAnswer) throws -> Set<ExceptionRule> {
        guard let receipt = answer.receipt else { return [.statusOfNoReceipt] }
        var rules: Set<ExceptionRule> = []
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Data(bytes.dropFirst(3)) : Data(bytes)
        let whole = try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
        let lists = [
            (whole["receipt"] as? [String: Any])?["in_app"], whole["latest_receipt_info"],
        ]
        for list in lists {
            let ids = (list as? [[String: Any]] ?? []).compactMap {
                $0["transaction_id"].map { "\($0)" }
            }
            if Set(ids).count < ids.count { rules.insert(.transactionTwice) }
        }
        if String(decoding: bytes, as: UTF8.self).contains("_ms\": \"0000000000000\"") {
            rules.insert(.zeroMilliseconds)
        }
        if receipt.style == .iOS6, receipt.renewals.count > 1 { rules.insert(.renewalOfNoChain) }
        return rules
    }
}
