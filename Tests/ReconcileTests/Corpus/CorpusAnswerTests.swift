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
            let bytes = try corpus.bytes(of: file)
            #expect(Differential.verdict(of: bytes) == .bothTake, "\(file)")
        }
    }

    @Test("The reader agrees with the expert's values for each answer", arguments: Corpus.all)
    func answers(corpus: Corpus) throws {
        for row in try corpus.rows("response") {
            let bytes = try corpus.bytes(of: row.file)
            let answer = try VerifyReceiptAnswer.read(bytes, from: .production)
            let rules = try ExceptionRule.all(in: bytes, answer)
            let found = AnswerDisagreement.all(row, answer, excepting: rules)
            #expect(found.isEmpty, "\(row.file): \(found)")
        }
    }

    @Test(
        "The judgement agrees with the expert's values for each chain and product",
        arguments: Corpus.all)
    func items(corpus: Corpus) throws {
        var excepted: [ExceptionRule: Int] = [:]
        var agreeing = 0
        for (file, rows) in Dictionary(grouping: try corpus.rows("response-item"), by: \.file) {
            let bytes = try corpus.bytes(of: file)
            let answer = try VerifyReceiptAnswer.read(bytes, from: .production)
            let rules = try ExceptionRule.all(in: bytes, answer)
            for row in rows {
                let found = AnswerDisagreement.all(row, of: rows, answer, excepting: rules)
                #expect(found.isEmpty, "\(file): \(found)")
                for rule in rules { excepted[rule, default: 0] += 1 }
                if found.isEmpty && rules.isEmpty { agreeing += 1 }
            }
        }
        let who = corpus.testDescription
        print("\(who): \(agreeing) items agree in every column; excepted in part: \(excepted)")
        #expect(agreeing > 0)
    }
}

/// The reasons for which the expert's reading and ours may differ, each with who is right.
enum ExceptionRule: String, CaseIterable {
    /// The status has no valid receipt, so none is read, whatever else the answer holds.
    case statusOfNoReceipt
    /// One list has a transaction twice, which Apple does not send. SPEC §3: if the two lines
    /// differ both are ignored; the expert takes one of them.
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
