import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// The corpus and random answers show that each style is read, and malformed lines are skipped.
@Suite("An answer of verifyReceipt")
struct AnswerTests {
    private func receipt(
        with members: String, in answer: String = "", from server: StoreEnvironment = .production
    ) throws -> Receipt {
        let text = #"{"status":0,\#(answer)"receipt":{"bundle_id":"acme"\#(members)}}"#
        return try #require(try VerifyReceiptAnswer.read(Array(text.utf8), from: server).receipt)
    }

    @Test(
        "The environment is the one that is named, else that of the server",
        arguments: """
            "environment":"Sandbox",    | Production | Sandbox
            "environment":"Production", | Sandbox    | Production
            "environment":"PROD",       | Production | Production
            "environment":"Mars",       | Sandbox    | Sandbox
            "environment":null,         | Sandbox    | Sandbox
            "environment":7,            | Sandbox    | Sandbox
                                        | Sandbox    | Sandbox
            """.triples)
    func environment(member: String, server: String, expected: String) throws {
        let server = try #require(StoreEnvironment(rawValue: server))
        let receipt = try receipt(with: "", in: member, from: server)
        #expect(receipt.environment.rawValue == expected)
    }

    /// A line of a list: an id and the members that follow it, in JSON.
    private func line(_ text: String) -> String {
        let words = text.split(separator: " ", maxSplits: 1)
        guard let id = words.first else { return "{}" }
        let more = words.count > 1 ? ",\(words[1])" : ""
        return #"{"transaction_id":"\#(id)","product_id":"p","purchase_date_ms":"1000"\#(more)}"#
    }

    /// Blocks of lines: what is peculiar; the elements of the lists; the words of the receipt.
    private static let blocks = #"""
        milliseconds beside a text of another day
        latest 2 "expires_date":"2017-12-18 00:00:00 Etc/GMT","expires_date_ms":"000000"
        = 2 of 2: p 1000-0 latest

        empty dates, and a Pacific one, which is never read
        in_app 1 "cancellation_date":"","cancellation_date_ms":""
        in_app 2 "cancellation_date_pst":"2019-05-21 10:33:21 America/Los_Angeles"
        = 1 of 1: p 1000
        = 2 of 2: p 1000

        an id twice with different content, lines with an unreadable date, and one without an id
        in_app 1 "expires_date_ms":"5000","in_app_ownership_type":"PURCHASED"
        in_app 1 "expires_date_ms":"6000","is_trial_period":"true"
        in_app 2
        in_app 3 "expires_date_ms":"soon"
        latest 4 "cancellation_date":[]
        latest
        = 2 of 2: p 1000
        = malformed cancellation_date of 4
        = malformed expires_date of 3
        = malformed transaction_id
        = malformed transaction_id twice of 1

        a renewal without a chain, as in 2017, which is of the product's chain that ends last
        in_app 1 "expires_date_ms":"5000"
        in_app 2 "expires_date_ms":"6000"
        renewal "auto_renew_status":"0"
        = 1 of 1: p 1000-5000
        = 2 of 2: p 1000-6000
        = renewal of 2: false

        two such renewals, which are ambiguous, and a quantity that is a number
        latest 1 "quantity":3,"expires_date_ms":"5000"
        renewal "auto_renew_status":"0","is_in_billing_retry_period":"1"
        renewal "auto_renew_status":"1","expiration_intent":"2"
        = 1 of 1: p 1000-5000 quantity 3 latest
        = renewal of 1: true billing retry
        """#.components(separatedBy: "\n\n")

    @Test("Lists are read the same in any order", arguments: blocks, [false, true])
    func lists(block: String, isReversed: Bool) throws {
        let lines = block.components(separatedBy: "\n").dropFirst()
        func list(_ name: String) -> String {
            let own = lines.filter { $0.hasPrefix(name) }
                .map { String($0.dropFirst(name.count + 1)) }
                .map { name == "renewal" ? #"{"product_id":"p",\#($0)}"# : line($0) }
            return "[" + (isReversed ? own.reversed() : own).joined(separator: ",") + "]"
        }
        let receipt = try receipt(
            with: #","in_app":\#(list("in_app"))},"latest_receipt_info":\#(list("latest")),"#
                + #""pending_renewal_info":\#(list("renewal")),"x":{"#)
        #expect(receipt.words.map { "= " + $0 } == lines.filter { $0.hasPrefix("= ") })
    }

    @Test("Fifty thousand purchases of any kind are accepted, and no more", arguments: ["{}", "1"])
    func bounded(element: String) throws {
        func list(_ key: String, _ count: Int) -> String {
            #","\#(key)":["# + String(repeating: element + ",", count: count - 1) + element + "]"
        }
        #expect(try receipt(with: list("in_app", 50_000)).anomalies.count == 50_000)
        let both = [list("in_app", 25_001), list("latest_receipt_info", 25_000)]
        for lists in [list("in_app", 50_001), both.joined(separator: "}") + #","x":{"#] {
            let error = try #require(
                #expect(throws: VerifyReceiptAnswer.Unreadable.self) { try receipt(with: lists) })
            #expect(error == .json(.tooLarge))
            guard case .failure(.answerTooLarge, _, _) = ValidationReply(error) else { throw error }
        }
    }

    private static let good = [
        "original_transaction_id": "7", "product_id": "pro.monthly", "purchase_date_ms": "1000",
        "expires_date_ms": "5000", "cancellation_date_ms": "4000", "cancellation_reason": "1",
        "in_app_ownership_type": "FAMILY_SHARED", "is_upgraded": "true", "is_trial_period": "true",
        "is_in_intro_offer_period": "true", "promotional_offer_id": "winback", "quantity": "3",
        "offer_code_ref_name": "SPRING26", "web_order_line_item_id": "77",
    ].mapValues { #""\#($0)""# }

    private static let texts = good.filter { !$0.key.hasSuffix("_ms") }.merging([
        "purchase_date": #""1970-01-01 00:00:01 Etc/GMT""#,
        "expires_date": #""1970-01-01 00:00:05 Etc/GMT""#,
        "cancellation_date": #""1970-01-01 00:00:04 Etc/GMT""#,
    ]) { $1 }

    private func words(_ inApp: [String: String], _ latest: [String: String]) throws -> [String] {
        let lines = [inApp, latest].map { members in
            let texts = members.sorted { $0.key < $1.key }.map { #","\#($0.key)":\#($0.value)"# }
            return #"{"transaction_id":"1"\#(texts.joined())}"#
        }
        let latest = #"},"latest_receipt_info":[\#(lines[1])],"x":{"#
        return try receipt(with: #","in_app":[\#(lines[0])]"# + latest).words
    }

    /// Either list may have the good value. Random answers show that of two the later one wins.
    @Test(
        "A good value is kept when the other list has nothing in its place, or another type",
        arguments: ["{}", "[]", "null", #""""#, #"{"a":"b"}"#, "[1]", "true", "false"])
    func isKept(nothing: String) throws {
        let good = [
            "1 of 7: pro.monthly 1000-5000 cancelled 4000 for 1 upgraded trial intro offer winback"
                + " code SPRING26 FAMILY_SHARED line 77 quantity 3 latest"
        ]
        // A flag may be true or false.
        let isFlag = ["true", "false"].contains(nothing)
        for key in Self.good.keys where !isFlag || !key.hasPrefix("is_") {
            #expect(try words(Self.good, [key: nothing]) == good, "\(key)")
            #expect(
                try words(Self.good.merging([key: nothing]) { $1 }, Self.good) == good, "\(key)")
            #expect(try words(Self.good.filter { $0.key != key }, Self.good) == good, "\(key)")
            for form in [key, String(key.dropLast(3))] where key.hasSuffix("_ms") {
                #expect(try words(Self.texts, [form: nothing]) == good, "\(form)")
            }
        }
    }
}

extension Receipt {
    /// The lists, each sorted. Instants are milliseconds.
    var words: [String] {
        sorted.transactions.map(\.words) + sorted.renewals.map(\.words)
            + anomalies.map { "malformed " + sentence($0.key, ("of", $0.transaction)) }.sorted()
    }
}

extension Transaction {
    fileprivate var words: String {
        let end = expiresAt.map { "-\($0.milliseconds)" } ?? ""
        return sentence(
            "\(id) of \(originalID): \(product) \(purchasedAt.milliseconds)\(end)",
            ("cancelled", cancelledAt?.milliseconds), ("for", cancellationReason),
            (nil, isUpgraded ? "upgraded" : nil), (nil, isTrial ? "trial" : nil),
            (nil, isIntroductoryOffer ? "intro" : nil), ("offer", promotionalOffer),
            ("code", offerCode), (nil, ownership?.rawValue), ("line", lineItem),
            ("quantity", quantity == 1 ? nil : quantity), (nil, isInLatest ? "latest" : nil))
    }
}

extension Renewal {
    fileprivate var words: String {
        sentence(
            "renewal of \(originalID):", (nil, willRenew), ("as", renewsAs),
            (nil, expirationIntent?.rawValue), (nil, isInBillingRetry ? "retry" : nil),
            ("grace", gracePeriodExpiresAt?.milliseconds))
    }
}

/// The start, and the values that are there, each after its word.
private func sentence(_ start: String, _ values: (word: String?, value: Any?)...) -> String {
    let words = values.flatMap { word, value in value.map { [word, "\($0)"] } ?? [] }
    return ([start] + words.compactMap(\.self)).joined(separator: " ")
}
