import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

/// With `RECONCILE_REWRITE_DOCS=1` the files are written anew instead. `EXPECT.csv` and `README.md`
/// are written by hand.
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
        #expect(files.filter { $0.contains("/") }.sorted() == generated.keys.sorted())
        #expect(generated.values.reduce(0) { $0 + $1.count } < 380_000)
    }
}

/// The answers in `Tests/Fixtures/responses`: states of subscriptions and purchases, Apple's
/// irregularities, and malformed entries.
enum FixtureAnswers {
    static let all = {
        let answers = FixtureAccount.all.map { name, customer in
            ("responses/\(name).json", Array(text(name, customer).utf8))
        }
        return Dictionary(uniqueKeysWithValues: answers + statuses)
    }()

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
        for edit in edits where edit[0] == name {
            precondition(text.contains(edit[1]), "\(name) has no \(edit[1])")
            text = text.replacing(edit[1], with: edit[2])
        }
        return (quirks.contains(.byteOrderMark) ? "\u{FEFF}" : "") + text
    }

    /// Texts that are replaced.
    private static let edits = #"""
        expiry-impossible | "2026-12-10 02:00:00 Etc/GMT","expires_date_ms":"1796868000000" \#
        | "9999-99-99 99:99:99 Etc/GMT","expires_date_ms":"soon"
        transaction-id-missing | "transaction_id":"480000000000702", |
        transaction-twice | 480000000000712 | 480000000000711
        entries-not-objects | "in_app":[ | "in_app":[7,"x",null,
        renewals-null | "pending_renewal_info":[{ | "pending_renewal_info":null,"x":[{
        latest-as-one-object | "latest_receipt_info":[{ | "latest_receipt_info":{
        latest-as-one-object | }],"latest_receipt": | },"latest_receipt":
        zero-milliseconds | "purchase_date_ms":"1794362400000" | "purchase_date_ms": "0000000000000"
        status-21003-with-receipt | "status":0 | "status":21003
        """#.rows

    /// Statuses of an answer without a receipt, with what else Apple sends.
    private static let statuses = #"""
        21000 |
        21002 | ,"exception":"java.lang.IllegalArgumentException"
        21003 |
        21004 | ,"environment":"Production"
        21005 |
        21007 |
        21008 |
        21009 | ,"is_retryable":true
        21010 | ,"environment":"Production","is-retryable":false
        21199 | ,"is-retryable":true
        """#.pairs.map { ("responses/status-\($0).json", Array(#"{"status":\#($0)\#($1)}"#.utf8)) }
}
