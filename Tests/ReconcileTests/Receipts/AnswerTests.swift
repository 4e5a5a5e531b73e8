import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// The outcome of answers shows how a status is spelled. The corpus, and random answers against a
/// second reader, show that answers of each style are read completely.
@Suite("An answer of verifyReceipt")
struct AnswerTests {
    private static func read(
        _ text: String, from server: StoreEnvironment = .production
    ) throws -> VerifyReceiptAnswer {
        try VerifyReceiptAnswer.read(Array(text.utf8), from: server)
    }

    private static func receipt(_ members: String) throws -> Receipt {
        let text = #"{"status":0,"receipt":{"bundle_id":"acme",\#(members)}}"#
        return try #require(try read(text).receipt)
    }

    @Test(
        "The environment is the one that is named, else that of the server",
        arguments: textTriples(
            """
            "environment":"Sandbox",    | Production | Sandbox
            "environment":"Production", | Sandbox    | Production
            "environment":"PROD",       | Production | Production
            "environment":"Mars",       | Sandbox    | Sandbox
            "environment":null,         | Sandbox    | Sandbox
            "environment":7,            | Sandbox    | Sandbox
                                        | Sandbox    | Sandbox
            """))
    func environment(member: String, server: String, expected: String) throws {
        let text = #"{"status":0,\#(member)"receipt":{"bundle_id":"a"}}"#
        let answer = try Self.read(text, from: try #require(StoreEnvironment(rawValue: server)))
        #expect(answer.receipt?.environment.rawValue == expected)
    }

    /// A line of a list: an id and the members that follow it, in JSON.
    private static func line(_ text: String) -> String {
        let words = text.split(separator: " ", maxSplits: 1)
        let more = words.count > 1 ? ",\(words[1])" : ""
        return
            #"{"transaction_id":"\#(words[0])","product_id":"p","purchase_date_ms":"1000"\#(more)}"#
    }

    private static let known = #"{"transaction_id":"2","product_id":"p","#

    @Test(
        "A malformed line is set aside, and the others are kept",
        arguments: textPairs(
            #"""
            {"product_id":"p","purchase_date_ms":"1"}                | transaction_id
            {"transaction_id":"2","purchase_date_ms":"1"}            | product_id of 2
            {"transaction_id":"2","product_id":"p"}                  | purchase_date of 2
            \#(known)"purchase_date_ms":"soon"}                      | purchase_date of 2
            \#(known)"purchase_date_ms":[1]}                         | purchase_date of 2
            \#(known)"purchase_date_ms":"1","expires_date_ms":"x"}   | expires_date of 2
            \#(known)"purchase_date_ms":"1","expires_date_ms":true}  | expires_date of 2
            \#(known)"purchase_date_ms":"1","cancellation_date":"9"} | cancellation_date of 2
            \#(known)"purchase_date_ms":"1","cancellation_date":{}}  | cancellation_date of 2
            7                                                        | in_app
            null                                                     | in_app
            """#))
    func anomalies(odd: String, key: String) throws {
        let words = try Self.receipt(#""in_app":[\#(odd),\#(Self.line("1"))]"#).words
        #expect(words == ["1 of 1: p 1000", "malformed \(key)"])
    }

    /// Blocks of lines: what is peculiar; the elements of the lists; the words of the receipt.
    private static let blocks = #"""
        ids out of order, one of 18 digits
        latest 300 "expires_date_ms":"2000"
        latest 100 "expires_date_ms":"3000"
        latest 501136461303889853
        = 100 of 100: p 1000-3000 latest
        = 300 of 300: p 1000-2000 latest
        = 501136461303889853 of 501136461303889853: p 1000 latest

        an upgrade without a cancellation, and a refund that is not the last
        latest 1 "expires_date_ms":"9000","is_upgraded":"true"
        latest 2 "cancellation_date_ms":"2500"
        latest 3
        = 1 of 1: p 1000-9000 upgraded latest
        = 2 of 2: p 1000 cancelled 2500 latest
        = 3 of 3: p 1000 latest

        milliseconds beside a text of another day
        latest 2 "expires_date":"2017-12-18 00:00:00 Etc/GMT","expires_date_ms":"000000"
        = 2 of 2: p 1000-0 latest

        empty dates, and a Pacific one, which is never read
        in_app 1 "cancellation_date":"","cancellation_date_ms":""
        in_app 2 "cancellation_date_pst":"2019-05-21 10:33:21 America/Los_Angeles"
        = 1 of 1: p 1000
        = 2 of 2: p 1000

        an id twice with different content
        in_app 1 "expires_date_ms":"5000","in_app_ownership_type":"PURCHASED"
        in_app 1 "expires_date_ms":"6000","is_trial_period":"true"
        in_app 2
        = 2 of 2: p 1000
        = malformed transaction_id twice of 1

        a renewal without a chain, as in 2017, which is of the chains of its product
        in_app 1
        in_app 2
        renewal "auto_renew_status":"0"
        = 1 of 1: p 1000
        = 2 of 2: p 1000
        = renewal of 1: false
        = renewal of 2: false

        two such renewals, which are ambiguous
        latest 1
        renewal "auto_renew_status":"0","is_in_billing_retry_period":"1"
        renewal "auto_renew_status":"1","expiration_intent":"2"
        = 1 of 1: p 1000 latest
        = renewal of 1: true, billing retry
        """#.components(separatedBy: "\n\n")

    @Test("Lists are read the same in any order", arguments: blocks, [false, true])
    func lists(block: String, isReversed: Bool) throws {
        let lines = block.components(separatedBy: "\n").dropFirst()
        func list(_ name: String) -> String {
            let own = lines.filter { $0.hasPrefix(name + " ") }
                .map { String($0.dropFirst(name.count + 1)) }
                .map { name == "renewal" ? #"{"product_id":"p",\#($0)}"# : Self.line($0) }
            return "[" + (isReversed ? own.reversed() : own).joined(separator: ",") + "]"
        }
        let receipt = try Self.receipt(
            #""in_app":\#(list("in_app"))},"latest_receipt_info":\#(list("latest")),"#
                + #""pending_renewal_info":\#(list("renewal")),"x":{"#)
        #expect(receipt.words.map { "= " + $0 } == lines.filter { $0.hasPrefix("= ") })
    }

    @Test(
        "Fifty thousand purchases of any kind are accepted, and no more", arguments: ["{}", "1"])
    func bounded(element: String) throws {
        func list(_ key: String, _ count: Int) -> String {
            let elements = Array(repeating: element, count: count).joined(separator: ",")
            return #""\#(key)":[\#(elements)]"#
        }
        #expect(try Self.receipt(list("in_app", 50_000)).anomalies.count == 50_000)
        for lists in [
            list("in_app", 50_001),
            list("in_app", 25_001) + "}," + list("latest_receipt_info", 25_000) + #","x":{"#,
        ] {
            let error = #expect(throws: VerifyReceiptAnswer.Unreadable.self) {
                try Self.receipt(lists)
            }
            #expect(error == .json(.tooLarge))
            guard case .failure(.answerTooLarge, _, _) = try ValidationReply(#require(error)) else {
                Issue.record("it fails for another reason")
                return
            }
        }
    }
}

/// One transaction, `1`, with good values in one list and something else in the other.
@Suite("A transaction in both lists of an answer")
struct AnswerMergeTests {
    private static let good = Dictionary(
        uniqueKeysWithValues: textPairs(
            """
            original_transaction_id  | "7"
            product_id               | "pro.monthly"
            purchase_date_ms         | "1000"
            expires_date_ms          | "5000"
            cancellation_date_ms     | "4000"
            cancellation_reason      | "1"
            in_app_ownership_type    | "FAMILY_SHARED"
            is_upgraded              | "true"
            is_trial_period          | "true"
            is_in_intro_offer_period | "true"
            promotional_offer_id     | "winback"
            offer_code_ref_name      | "SPRING26"
            web_order_line_item_id   | "77"
            quantity                 | "3"
            """))

    private static let texts = good.filter { !$0.key.hasSuffix("_ms") }.merging([
        "purchase_date": #""1970-01-01 00:00:01 Etc/GMT""#,
        "expires_date": #""1970-01-01 00:00:05 Etc/GMT""#,
        "cancellation_date": #""1970-01-01 00:00:04 Etc/GMT""#,
    ]) { $1 }

    private static let expected =
        "1 of 7: pro.monthly 1000-5000 cancelled 4000 for 1 upgraded trial intro offer winback"
        + " code SPRING26 FAMILY_SHARED line 77 quantity 3 latest"

    private static func line(_ members: [String: String], id: Int = 1) -> String {
        let all = [#""transaction_id":"\#(id)""#] + members.map { #""\#($0.key)":\#($0.value)"# }
        return "{" + all.sorted().joined(separator: ",") + "}"
    }

    private static func read(inApp: [String], latest: [String]) throws -> [String] {
        let text = AppleLine.answer(inApp: inApp, latest: latest)
        let answer = try VerifyReceiptAnswer.read(Array(text.utf8), from: .production)
        return try #require(answer.receipt).words
    }

    private static func read(_ inApp: [String: String], _ latest: [String: String]) throws -> String
    {
        try read(inApp: [line(inApp)], latest: [line(latest)]).joined(separator: "; ")
    }

    @Test(
        "A good value is kept when the other list has nothing in its place, or another type",
        arguments: good.keys.sorted())
    func isKept(key: String) throws {
        // A flag may be true or false.
        let nothings =
            ["{}", "[]", "null", #""""#, #"{"a":"b"}"#, "[1]"]
            + (key.hasPrefix("is_") ? [] : ["true", "false"])
        for nothing in nothings {
            #expect(try Self.read(Self.good, [key: nothing]) == Self.expected, "\(nothing)")
            // The other way round it is taken.
            let spoilt = Self.good.merging([key: nothing]) { $1 }
            #expect(try Self.read(spoilt, Self.good) == Self.expected, "\(nothing)")
            guard key.hasSuffix("_ms") else { continue }
            for form in [key, String(key.dropLast(3))] {
                #expect(try Self.read(Self.texts, [form: nothing]) == Self.expected, "\(nothing)")
            }
        }
        let missing = Self.good.filter { $0.key != key }
        #expect(try Self.read(missing, Self.good) == Self.expected)
    }

    /// A key with another value, the words that it replaces, and its own.
    private static let later = textTable(
        """
        product_id            | "max.monthly" | pro.monthly    | max.monthly
        expires_date_ms       | "9000"        | -5000          | -9000
        expires_date_ms       | 9000          | -5000          | -9000
        cancellation_date_ms  | "4500"        | cancelled 4000 | cancelled 4500
        is_upgraded           | "false"       | upgraded trial | trial
        is_trial_period       | false         | trial intro    | intro
        in_app_ownership_type | "PURCHASED"   | FAMILY_SHARED  | PURCHASED
        """)

    @Test("The good value of latest_receipt_info wins", arguments: later)
    func isBeaten(row: [String]) throws {
        let words = try Self.read(Self.good, [row[0]: row[1]])
        #expect(words == Self.expected.replacing(row[2], with: row[3]))
        #expect(words != Self.expected)
    }
}

extension Receipt {
    /// The lists, each sorted. Instants are milliseconds.
    var words: [String] {
        transactions.sorted { $0.id < $1.id }.map(\.words)
            + renewals.sorted { $0.originalID < $1.originalID }.map(\.words)
            + anomalies.map { ["malformed \($0.key)"].adding("of", $0.transaction) }
            .map { $0.joined(separator: " ") }.sorted()
    }
}

extension Transaction {
    fileprivate var words: String {
        let end = expiresAt.map { "-\($0.milliseconds)" } ?? ""
        return ["\(id) of \(originalID): \(product) \(purchasedAt.milliseconds)\(end)"]
            .adding("cancelled", cancelledAt).adding("for", cancellationReason)
            .adding("upgraded", if: isUpgraded).adding("trial", if: isTrial)
            .adding("intro", if: isIntroductoryOffer).adding("offer", promotionalOffer)
            .adding("code", offerCode).adding(ownership?.rawValue ?? "", if: ownership != nil)
            .adding("line", lineItem).adding("quantity \(quantity)", if: quantity != 1)
            .adding("latest", if: isInLatest).joined(separator: " ")
    }
}

extension Renewal {
    fileprivate var words: String {
        let why = [String]().adding(expirationIntent?.rawValue ?? "", if: expirationIntent != nil)
            .adding("retry", if: isInBillingRetry).adding("grace", gracePeriodExpiresAt)
        return ["renewal of \(originalID):"].adding("\(willRenew ?? false)", if: willRenew != nil)
            .adding("as", renewsAs).joined(separator: " ")
            + (why.isEmpty ? "" : ", " + why.joined(separator: " "))
    }
}

extension [String] {
    fileprivate func adding(_ word: String, if isTrue: Bool) -> [String] {
        isTrue ? self + [word] : self
    }

    fileprivate func adding(_ word: String, _ value: (some Any)?) -> [String] {
        guard let value else { return self }
        return self + ["\(word) \((value as? Instant).map { "\($0.milliseconds)" } ?? "\(value)")"]
    }
}
