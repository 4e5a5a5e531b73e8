import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

/// With `RECONCILE_REWRITE_DOCS=1` the files are written anew; `EXPECT.csv` is written by hand.
/// To add a case: a file in `FixtureAnswers` or `FixtureReceipts`, and its row in EXPECT.csv.
@Suite("The fixtures")
struct FixtureFilesTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appending(path: "../../Fixtures").standardized

    @Test("The files in Tests/Fixtures are the bytes that the generator writes, and no others")
    func files() throws {
        let generated = FixtureAnswers.all.merging(FixtureReceipts.all) { first, _ in first }
        let isRewriting = ProcessInfo.processInfo.environment["RECONCILE_REWRITE_DOCS"] != nil
        for (name, bytes) in generated {
            let file = Self.folder.appending(path: name)
            if isRewriting { try Data(bytes).write(to: file) }
            let isSame = try Data(contentsOf: file) == Data(bytes)
            #expect(isSame, "\(name): rewrite it with RECONCILE_REWRITE_DOCS=1")
        }
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
        // What the fuzzers begin with and Apple's reports are kept by hand.
        let byHand = ["fuzz/", "apple-reports/", "tie-out/"]
        let written = files.filter { $0.contains("/") && !byHand.contains(where: $0.hasPrefix) }
        #expect(written.sorted() == generated.keys.sorted())
        #expect(generated.values.reduce(0) { $0 + $1.count } < 380_000)
    }
}

/// The answers in `Tests/Fixtures/responses`: states of subscriptions and purchases, Apple's
/// irregularities, and malformed entries.
enum FixtureAnswers {
    static let all = FixtureAccount.all.reduce(into: Dictionary(uniqueKeysWithValues: statuses)) {
        $0["responses/\($1.key).json"] = Array(text($1.key, $1.value).utf8)
    }

    /// The answer that Apple would have given, with the edits of that name.
    private static func text(_ name: String, _ customer: FixtureAccount) -> String {
        let latest = Array("bGF0ZXN0".utf8)
        let mark = ReceiptMark(seed: 1, customer: 1, account: 0, number: 1)
        let quirks = customer.quirks
        let modern = ModernAnswer(
            account: customer.account, mark: mark, createdAt: .day(-3), now: .fixture,
            quirks: quirks, excludesOld: customer.excludesOld, latestReceipt: latest)
        let old = OldAnswer(
            account: customer.account, createdAt: .day(-3), now: .fixture, quirks: quirks,
            latestReceipt: latest)
        var writer = JSONWriter(
            isSpaced: quirks.contains(.spacedOut), escapesSlashes: quirks.contains(.escapedSlashes))
        writer.write(customer.account.style == .iOS6 ? old.json() : modern.json())
        var text = String(decoding: writer.bytes, as: UTF8.self)
        for edit in customer.edits {
            precondition(text.contains(edit.text), "\(name) has no \(edit.text)")
            text = text.replacing(edit.text, with: edit.replacement)
        }
        return (quirks.contains(.byteOrderMark) ? "\u{FEFF}" : "") + text
    }

    /// Answers without a receipt, with what else Apple sends.
    private static let statuses: [(String, [UInt8])] = [
        (status: 21000, more: ""),
        (21002, #","exception":"java.lang.IllegalArgumentException""#),
        (21003, ""),
        (21004, #","environment":"Production""#),
        (21005, ""),
        (21007, ""),
        (21008, ""),
        (21009, #","is_retryable":true"#),
        (21010, #","environment":"Production","is-retryable":false"#),
        (21199, #","is-retryable":true"#),
    ].map { status, more in
        ("responses/status-\(status).json", Array(#"{"status":\#(status)\#(more)}"#.utf8))
    }
}
