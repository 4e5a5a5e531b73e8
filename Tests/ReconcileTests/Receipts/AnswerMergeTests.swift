import Testing

@testable import Reconcile

/// One transaction, `1`, with good values in one list and something else in the other.
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

    private static let texts = good.filter { !$0.key.hasSuffix("_ms") }.merging([
        "purchase_date": #""1970-01-01 00:00:01 Etc/GMT""#,
        "expires_date": #""1970-01-01 00:00:05 Etc/GMT""#,
        "cancellation_date": #""1970-01-01 00:00:04 Etc/GMT""#,
    ]) { $1 }

    private static let expected = [
        "1 of 7: pro.monthly 1000-5000 cancelled 4000 for 1 upgraded trial intro offer winback"
            + " code SPRING26 FAMILY_SHARED line 77 quantity 3 latest"
    ]

    private static func line(_ members: [String: String], id: Int = 1) -> String {
        let all = [#""transaction_id":"\#(id)""#] + members.map { #""\#($0.key)":\#($0.value)"# }
        return "{" + all.sorted().joined(separator: ",") + "}"
    }

    private static func read(inApp: [String], latest: [String]) throws -> [String] {
        let text = AppleLine.answer(inApp: inApp, latest: latest)
        let answer = try VerifyReceiptAnswer.read(Array(text.utf8), from: .production)
        return try #require(answer.receipt).words
    }

    private static func read(
        inApp: [String: String], latest: [String: String]
    ) throws -> [String] {
        try read(inApp: [line(inApp)], latest: [line(latest)])
    }

    /// Values of a type that no key has. A flag may be true or false.
    private static func nothings(_ key: String) -> [String] {
        ["{}", "[]", "null", #""""#, #"{"a":"b"}"#, "[1]"]
            + (key.hasPrefix("is_") ? [] : ["true", "false"])
    }

    @Test(
        "A good value is kept when the other list has nothing in its place",
        arguments: good.keys.sorted())
    func isKept(key: String) throws {
        for nothing in Self.nothings(key) {
            let words = try Self.read(inApp: Self.good, latest: [key: nothing])
            #expect(words == Self.expected, "\(nothing)")
            // The other way round it is taken.
            let spoilt = Self.good.merging([key: nothing]) { $1 }
            let taken = try Self.read(inApp: spoilt, latest: Self.good)
            #expect(taken == Self.expected, "\(nothing)")
        }
        let missing = Self.good.filter { $0.key != key }
        #expect(try Self.read(inApp: missing, latest: Self.good) == Self.expected)
    }

    @Test(
        "A good date in text form is kept when the other list has nothing",
        arguments: ["purchase_date", "expires_date", "cancellation_date"], ["", "_ms"])
    func textIsKept(key: String, form: String) throws {
        for nothing in Self.nothings(key) {
            let words = try Self.read(inApp: Self.texts, latest: [key + form: nothing])
            #expect(words == Self.expected, "\(nothing)")
        }
    }

    static let later = [
        ("product_id", #""max.monthly""#, "pro.monthly", "max.monthly"),
        ("expires_date_ms", #""9000""#, "-5000", "-9000"),
        ("expires_date_ms", "9000", "-5000", "-9000"),
        ("cancellation_date_ms", #""4500""#, "cancelled 4000", "cancelled 4500"),
        ("is_upgraded", #""false""#, " upgraded", ""), ("is_trial_period", "false", " trial", ""),
        ("in_app_ownership_type", #""PURCHASED""#, "FAMILY_SHARED", "PURCHASED"),
    ]

    @Test("The good value of latest_receipt_info wins", arguments: later)
    func isBeaten(key: String, value: String, old: String, new: String) throws {
        let words = try Self.read(inApp: Self.good, latest: [key: value])
        #expect(words == Self.expected.map { $0.replacing(old, with: new) })
        #expect(words != Self.expected)
    }

    @Test(
        "A transaction without a required instant in either list is set aside",
        arguments: ["purchase_date", "expires_date", "cancellation_date"],
        ["{}", "true", #""soon""#])
    func isSetAside(key: String, value: String) throws {
        let spoilt = Self.good.merging([key + "_ms": value]) { $1 }
        let words = try Self.read(inApp: spoilt, latest: [key + "_ms": "[]"])
        #expect(words == ["malformed \(key) of 1"])
    }

    private static func twice(_ other: [String: String], inApp isInApp: Bool) throws -> [String] {
        let lines = [
            line(good), line(good.merging(other) { $1 }), line(good), line(good, id: 2),
        ]
        return try read(inApp: isInApp ? lines : [], latest: isInApp ? [] : lines)
            .map { $0.hasPrefix("malformed") ? $0 : String($0.prefix(1)) }
    }

    @Test(
        "A transaction that one list has twice with different content is set aside",
        arguments: later, [true, false])
    func isAmbiguous(other: (key: String, value: String, String, String), inApp: Bool) throws {
        let words = try Self.twice([other.key: other.value], inApp: inApp)
        #expect(words == ["2", "malformed transaction_id twice of 1"])
    }

    @Test(
        "A transaction that one list has twice with the same content counts once",
        arguments: [true, false])
    func isRepeated(inApp: Bool) throws {
        #expect(try Self.twice([:], inApp: inApp) == ["1", "2"])
    }
}
