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

    /// A member of the answer and the server that gave it. To add a case, copy a row.
    @Test(
        "The environment is the one that is named, else that of the server",
        arguments: [
            (member: #""environment":"Sandbox","#, server: .production, expected: .sandbox),
            (#""environment":"Production","#, .sandbox, .production),
            (#""environment":"PROD","#, .production, .production),
            (#""environment":"Mars","#, .sandbox, .sandbox),
            (#""environment":null,"#, .sandbox, .sandbox),
            (#""environment":7,"#, .sandbox, .sandbox),
            ("", .sandbox, .sandbox),
        ] as [(member: String, server: StoreEnvironment, expected: StoreEnvironment)])
    func environment(
        member: String, server: StoreEnvironment, expected: StoreEnvironment
    ) throws {
        let receipt = try receipt(with: "", in: member, from: server)
        #expect(receipt.environment == expected)
    }

    /// The lists of an answer, in JSON, and what is read of them, sorted.
    struct Lists: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var inApp: [String] = []
        var latest: [String] = []
        var renewals: [String] = []
        var transactions: [Transaction] = []
        var renewal: Renewal?
        var anomalies: [ParseAnomaly] = []
    }

    /// A line of a list, bought at 1,000 ms.
    private static func line(_ id: String, _ more: (key: String, json: String)...) -> String {
        let members = more.map { #","\#($0.key)":\#($0.json)"# }.joined()
        return #"{"transaction_id":"\#(id)","product_id":"p","purchase_date_ms":"1000"\#(members)}"#
    }

    private static func renewal(_ members: (key: String, value: String)...) -> String {
        #"{"product_id":"p""# + members.map { #","\#($0.key)":"\#($0.value)""# }.joined() + "}"
    }

    private static func bought(
        _ id: TransactionID, until end: Int64? = nil, quantity: Int = 1, isInLatest: Bool = false
    ) -> Transaction {
        Transaction(
            id: id, originalID: id, product: "p", purchasedAt: Instant(milliseconds: 1_000),
            expiresAt: end.map(Instant.init(milliseconds:)), quantity: quantity,
            isInLatest: isInLatest)
    }

    /// To add a case, copy one.
    private static let answers = [
        Lists(
            testDescription: "milliseconds beside a text of another day",
            latest: [
                line(
                    "2", ("expires_date", #""2017-12-18 00:00:00 Etc/GMT""#),
                    ("expires_date_ms", #""000000""#))
            ],
            transactions: [bought("2", until: 0, isInLatest: true)]),
        Lists(
            testDescription: "empty dates, and a Pacific one, which is never read",
            inApp: [
                line("1", ("cancellation_date", #""""#), ("cancellation_date_ms", #""""#)),
                line("2", ("cancellation_date_pst", #""2019-05-21 10:33:21 America/Los_Angeles""#)),
            ],
            transactions: [bought("1"), bought("2")]),
        Lists(
            testDescription: "an id with two contents, unreadable dates, and a line without an id",
            inApp: [
                line(
                    "1", ("expires_date_ms", #""5000""#),
                    ("in_app_ownership_type", #""PURCHASED""#)),
                line("1", ("expires_date_ms", #""6000""#), ("is_trial_period", #""true""#)),
                line("2"),
                line("3", ("expires_date_ms", #""soon""#)),
            ],
            latest: [line("4", ("cancellation_date", "[]")), "{}"],
            transactions: [bought("2")],
            anomalies: [
                ParseAnomaly(key: "cancellation_date", transaction: "4"),
                ParseAnomaly(key: "expires_date", transaction: "3"),
                ParseAnomaly(key: "transaction_id", transaction: nil),
                ParseAnomaly(key: "transaction_id twice", transaction: "1"),
            ]),
        Lists(
            testDescription: "a renewal without a chain: of the product's chain that ends last",
            inApp: [
                line("1", ("expires_date_ms", #""5000""#)),
                line("2", ("expires_date_ms", #""6000""#)),
            ],
            renewals: [renewal(("auto_renew_status", "0"))],
            transactions: [bought("1", until: 5_000), bought("2", until: 6_000)],
            renewal: Renewal(originalID: "2", willRenew: false)),
        Lists(
            testDescription: "two such renewals, which are ambiguous, and a quantity as a number",
            latest: [line("1", ("quantity", "3"), ("expires_date_ms", #""5000""#))],
            renewals: [
                renewal(("auto_renew_status", "0"), ("is_in_billing_retry_period", "1")),
                renewal(("auto_renew_status", "1"), ("expiration_intent", "2")),
            ],
            transactions: [bought("1", until: 5_000, quantity: 3, isInLatest: true)],
            renewal: Renewal(
                originalID: "1", willRenew: true, expirationIntent: .billing,
                isInBillingRetry: true)),
    ]

    @Test("Lists are read the same in any order", arguments: answers, [false, true])
    func lists(lists: Lists, isReversed: Bool) throws {
        func json(_ lines: [String]) -> String {
            "[" + (isReversed ? lines.reversed() : lines).joined(separator: ",") + "]"
        }
        let receipt = try receipt(
            with: #","in_app":\#(json(lists.inApp))},"#
                + #""latest_receipt_info":\#(json(lists.latest)),"#
                + #""pending_renewal_info":\#(json(lists.renewals)),"x":{"#
        ).sorted
        #expect(receipt.transactions == lists.transactions)
        #expect(receipt.renewals == [lists.renewal].compactMap(\.self))
        #expect(receipt.anomalies == lists.anomalies)
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

    private static let shared = Transaction(
        id: "1", originalID: "7", product: "pro.monthly",
        purchasedAt: Instant(milliseconds: 1_000), expiresAt: Instant(milliseconds: 5_000),
        cancelledAt: Instant(milliseconds: 4_000), cancellationReason: "1", isUpgraded: true,
        isTrial: true, isIntroductoryOffer: true, promotionalOffer: "winback",
        offerCode: "SPRING26", ownership: .familyShared, lineItem: "77", quantity: 3,
        isInLatest: true)

    /// The lists have one line each; both together are `shared`.
    private func expectShared(
        _ inApp: [String: String], _ latest: [String: String], _ key: String
    ) throws {
        let lines = [inApp, latest].map { members in
            let texts = members.sorted { $0.key < $1.key }.map { #","\#($0.key)":\#($0.value)"# }
            return #"{"transaction_id":"1"\#(texts.joined())}"#
        }
        let latest = #"},"latest_receipt_info":[\#(lines[1])],"x":{"#
        let receipt = try receipt(with: #","in_app":[\#(lines[0])]"# + latest)
        #expect(receipt.transactions == [Self.shared], "\(key)")
        #expect(receipt.renewals == [], "\(key)")
        #expect(receipt.anomalies == [], "\(key)")
    }

    /// Either list may have the good value. Random answers show that of two the later one wins.
    @Test(
        "A good value is kept when the other list has no value, or one of another type",
        arguments: ["{}", "[]", "null", #""""#, #"{"a":"b"}"#, "[1]", "true", "false"])
    func isKept(nothing: String) throws {
        // A flag may be true or false.
        let isFlag = ["true", "false"].contains(nothing)
        for key in Self.good.keys where !isFlag || !key.hasPrefix("is_") {
            try expectShared(Self.good, [key: nothing], key)
            try expectShared(Self.good.merging([key: nothing]) { $1 }, Self.good, key)
            try expectShared(Self.good.filter { $0.key != key }, Self.good, key)
            for form in [key, String(key.dropLast(3))] where key.hasSuffix("_ms") {
                try expectShared(Self.texts, [form: nothing], form)
            }
        }
    }
}
