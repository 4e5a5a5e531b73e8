import Testing

@testable import Reconcile

/// One transaction, `1`, with good values in `in_app` and something else in `latest_receipt_info`.
@Suite("A transaction in both lists of an answer")
struct AnswerMergeTests {
    private static let good = [
        "original_transaction_id": #""7""#, "product_id": #""pro.monthly""#,
        "purchase_date_ms": #""1000""#, "expires_date_ms": #""5000""#,
        "cancellation_date_ms": #""4000""#, "cancellation_reason": #""1""#,
        "in_app_ownership_type": #""FAMILY_SHARED""#, "is_upgraded": #""true""#,
        "is_trial_period": #""true""#, "is_in_intro_offer_period": #""true""#,
        "promotional_offer_id": #""winback""#, "offer_code_ref_name": #""SPRING26""#,
        "web_order_line_item_id": #""77""#, "quantity": #""3""#,
    ]

    private static let texts = [
        "purchase_date": #""1970-01-01 00:00:01 Etc/GMT""#,
        "expires_date": #""1970-01-01 00:00:05 Etc/GMT""#,
        "cancellation_date": #""1970-01-01 00:00:04 Etc/GMT""#,
    ]

    private static func line(_ members: [String: String]) -> String {
        let all = [#""transaction_id":"1""#] + members.map { #""\#($0.key)":\#($0.value)"# }
        return "{" + all.sorted().joined(separator: ",") + "}"
    }

    private static func read(inApp: [String: String], latest: [String: String]) throws -> Receipt {
        let text = AppleLine.answer(inApp: [line(inApp)], latest: [line(latest)])
        return try #require(
            try VerifyReceiptAnswer.read(Array(text.utf8), from: .production).receipt)
    }

    /// The result with good values in both lists.
    private static func expected(_ members: [String: String]) throws -> Receipt {
        try read(inApp: members, latest: members)
    }

    /// Values of a type that no key has.
    static let nothings = ["{}", "[]", "true", "false", "null", #""""#, #"{"a":"b"}"#, "[1]"]

    @Test(
        "A good value is kept when the other list has nothing in its place",
        arguments: good.keys.sorted())
    func isKept(key: String) throws {
        let isFlag = key.hasPrefix("is_")
        for nothing in Self.nothings where !isFlag || !["true", "false"].contains(nothing) {
            let receipt = try Self.read(inApp: Self.good, latest: [key: nothing])
            #expect(try receipt == Self.expected(Self.good), "\(key): \(nothing)")
        }
    }

    @Test(
        "A good date in text form is kept when the other list has nothing",
        arguments: texts.keys.sorted())
    func textIsKept(key: String) throws {
        var good = Self.good.filter { !$0.key.hasSuffix("_ms") }
        good.merge(Self.texts) { $1 }
        for nothing in Self.nothings {
            for wrong in [key, key + "_ms"] {
                let receipt = try Self.read(inApp: good, latest: [wrong: nothing])
                #expect(try receipt == Self.expected(good), "\(wrong): \(nothing)")
            }
        }
    }

    @Test("A good value replaces one that says nothing", arguments: good.keys.sorted())
    func isTaken(key: String) throws {
        let isFlag = key.hasPrefix("is_")
        for nothing in Self.nothings where !isFlag || !["true", "false"].contains(nothing) {
            var spoilt = Self.good
            spoilt[key] = nothing
            let receipt = try Self.read(inApp: spoilt, latest: Self.good)
            #expect(try receipt == Self.expected(Self.good), "\(key): \(nothing)")
        }
    }

    static let later = [
        ("product_id", #""max.monthly""#), ("expires_date_ms", #""9000""#),
        ("expires_date_ms", "9000"), ("cancellation_date_ms", #""4500""#),
        ("is_upgraded", #""false""#), ("is_trial_period", "false"),
        ("in_app_ownership_type", #""PURCHASED""#),
    ]

    @Test("The good value of latest_receipt_info wins", arguments: later)
    func isBeaten(key: String, value: String) throws {
        var all = Self.good
        all[key] = value
        let receipt = try Self.read(inApp: Self.good, latest: [key: value])
        #expect(try receipt == Self.expected(all))
        #expect(try receipt != Self.expected(Self.good))
    }

    @Test(
        "A transaction without a required instant in either list is set aside",
        arguments: ["purchase_date_ms", "expires_date_ms", "cancellation_date_ms"],
        ["{}", "true", #""soon""#])
    func isSetAside(key: String, value: String) throws {
        var spoilt = Self.good
        spoilt[key] = value
        let receipt = try Self.read(inApp: spoilt, latest: [key: "[]"])
        #expect(receipt.transactions.isEmpty)
        #expect(receipt.anomalies.map(\.transaction) == ["1"])
    }

    private static func twice(_ other: [String: String], inApp isInApp: Bool) throws -> Receipt {
        let line = line(good)
        let lines =
            [line, Self.line(good.merging(other) { $1 }), line]
            + [line.replacing(#""transaction_id":"1""#, with: #""transaction_id":"2""#)]
        let text = AppleLine.answer(inApp: isInApp ? lines : [], latest: isInApp ? [] : lines)
        return try #require(
            try VerifyReceiptAnswer.read(Array(text.utf8), from: .production).receipt)
    }

    @Test(
        "A transaction that one list has twice with different content is set aside",
        arguments: later,
        [true, false])
    func isAmbiguous(other: (key: String, value: String), inApp: Bool) throws {
        let receipt = try Self.twice([other.key: other.value], inApp: inApp)
        #expect(receipt.transactions.map(\.id) == ["2"])
        #expect(Set(receipt.anomalies.map(\.transaction)) == ["1"])
    }

    @Test(
        "A transaction that one list has twice with the same content counts once",
        arguments: [true, false])
    func isRepeated(inApp: Bool) throws {
        let receipt = try Self.twice([:], inApp: inApp)
        #expect(receipt.transactions.map(\.id).sorted() == ["1", "2"])
        #expect(receipt.anomalies.isEmpty)
    }
}
