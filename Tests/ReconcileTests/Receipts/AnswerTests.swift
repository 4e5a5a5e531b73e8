import Testing

@testable import Reconcile

/// The lists of an answer, and what is read in them.
struct AnswerCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let inApp: [String]
    let latest: [String]
    let renewals: [String]
    let expected: [String]

    init(
        _ title: String, inApp: [String] = [], latest: [String] = [], renewals: [String] = [],
        is expected: String...
    ) {
        testDescription = title
        (self.inApp, self.latest, self.renewals) = (inApp, latest, renewals)
        self.expected = expected
    }

    /// The words of the receipt.
    func read(isReversed: Bool) throws -> [String] {
        func list(_ lines: [String]) -> String {
            "[" + (isReversed ? lines.reversed() : lines).joined(separator: ",") + "]"
        }
        return try AnswerTests.receipt(
            #""in_app":\#(list(inApp))},"latest_receipt_info":\#(list(latest)),"#
                + #""pending_renewal_info":\#(list(renewals)),"x":{"#
        ).words
    }
}

@Suite("An answer of verifyReceipt")
struct AnswerTests {
    private static func read(
        _ text: String, from server: StoreEnvironment = .production
    ) throws -> VerifyReceiptAnswer {
        try VerifyReceiptAnswer.read(Array(text.utf8), from: server)
    }

    fileprivate static func receipt(_ members: String) throws -> Receipt {
        let text = #"{"status":0,"receipt":{"bundle_id":"acme",\#(members)}}"#
        return try #require(try read(text).receipt)
    }

    private static func line(_ more: String = "", id: String = "\"1\"") -> String {
        #"{"transaction_id":\#(id),"product_id":"p","purchase_date_ms":"1000"\#(more)}"#
    }

    @Test(
        "The status is a number or digits in a string",
        arguments: [
            (#"{"status":21002}"#, 21002), (#"{"status":"21007"}"#, 21007),
            (#"{"status":-5}"#, -5), ("\u{FEFF}{\"status\":21003}", 21003),
            (#"{"environment":"Production","status":21010,"is_retryable":false}"#, 21010),
        ])
    func status(text: String, status: Int) throws {
        #expect(try Self.read(text).status.rawValue == status)
    }

    @Test(
        "An answer without a whole status, or that is not one object, is unreadable",
        arguments: [
            "", "{}", "[]", "\"x\"", "null", "[1,2,3]", #"{"status":null}"#, #"{"status":true}"#,
            #"{"status":0.5}"#, #"{"status":"ok"}"#, #"{"status":{}}"#, #"{"status":[0]}"#,
            #"{"status":0"#, #"{"status":0}x"#, #"{"status":0,"status":21003}"#, "<html></html>",
            #"{"status":99999999999999999999}"#,
            #"{"status":"+0"}"#, #"{"status":" 0"}"#, #"{"status":"0x0"}"#, #"{"status":1e3}"#,
        ])
    func unreadable(text: String) {
        #expect(throws: VerifyReceiptAnswer.Unreadable.self) { try Self.read(text) }
    }

    @Test(
        "is_retryable is read in every spelling",
        arguments: [
            (#""is_retryable":true"#, true), (#""is-retryable":"true""#, true),
            (#""is_retryable":1"#, true), (#""is-retryable":"0""#, false),
            (#""is_retryable":false"#, false), (#""is_retryable":null"#, nil),
            (#""other":1"#, nil), (#""is_retryable":false,"is-retryable":null"#, false),
            (#""is-retryable":true,"is_retryable":false"#, false),
            (#""is_retryable":false,"is-retryable":true"#, false),
        ] as [(String, Bool?)])
    func retryable(member: String, expected: Bool?) throws {
        #expect(try Self.read(#"{"status":21104,\#(member)}"#).isRetryable == expected)
    }

    @Test("An answer has a receipt only with a status of a valid receipt and a bundle id")
    func holdsReceipt() throws {
        let body = #""receipt":{"bundle_id":"acme","in_app":[\#(Self.line())]}"#
        for status in [0, 21006] {
            let receipt = try Self.read(#"{"status":\#(status),\#(body)}"#).receipt
            #expect(receipt?.head == "modern acme Production")
        }
        for status in [1, 21002, 21003, 21007, 21010] {
            #expect(try Self.read(#"{"status":\#(status),\#(body)}"#).receipt == nil)
        }
        for none in [#""receipt":null"#, #""receipt":[]"#, #""receipt":{"in_app":[]}"#, #""x":1"#] {
            #expect(try Self.read(#"{"status":0,\#(none)}"#).receipt == nil)
        }
    }

    @Test(
        "The environment is the one that is named, else that of the server",
        arguments: [
            (#""environment":"Sandbox","#, .production, .sandbox),
            (#""environment":"Production","#, .sandbox, .production), ("", .sandbox, .sandbox),
            (#""environment":"PROD","#, .production, .production),
            (#""environment":null,"#, .sandbox, .sandbox),
        ] as [(String, StoreEnvironment, StoreEnvironment)])
    func environment(member: String, server: StoreEnvironment, expected: StoreEnvironment) throws {
        let text = #"{"status":0,\#(member)"receipt":{"bundle_id":"a"}}"#
        #expect(try Self.read(text, from: server).receipt?.environment == expected)
    }

    @Test("A modern answer is read completely, whatever the order of its keys")
    func modern() throws {
        let answer = try Self.read(
            #"""
            {"pending_renewal_info":[{"original_transaction_id":"7","auto_renew_status":"0",
              "auto_renew_product_id":"q","expiration_intent":"2","is_in_billing_retry_period":"1",
              "grace_period_expires_date_ms":"9000"}],
             "latest_receipt_info":[{"transaction_id":"8","original_transaction_id":"7",
              "product_id":"p","purchase_date_ms":"1000","purchase_date":"garbage",
              "expires_date_ms":"5000","cancellation_date_ms":"3000","cancellation_reason":"1",
              "is_upgraded":"true","is_trial_period":"true","is_in_intro_offer_period":"true",
              "promotional_offer_id":"o","offer_code_ref_name":"c",
              "in_app_ownership_type":"FAMILY_SHARED"}],
             "latest_receipt":"abc","receipt":{"in_app":[],"bundle_id":"acme","download_id":null,
              "original_application_version":"1.0","receipt_creation_date_ms":"2000",
              "request_date":"1970-01-01 00:00:04 Etc/GMT","original_purchase_date_ms":"100"},
             "environment":"Production","status":0}
            """#)
        let receipt = try #require(answer.receipt)
        #expect(
            receipt.head
                == "modern acme Production created 2000 requested 4000 version 1.0 first 100")
        let words = [
            "8 of 7: p 1000-5000 cancelled 3000 for 1 upgraded trial intro offer o code c"
                + " FAMILY_SHARED latest",
            "renewal of 7: false as q, billing retry grace 9000",
        ]
        #expect(receipt.words == words)
    }

    @Test("An iOS 6 answer is one flat transaction, with milliseconds in `expires_date`")
    func iOS6() throws {
        let answer = try Self.read(
            #"""
            {"status":21006,"auto_renew_status":0,"expiration_intent":1,
             "is_in_billing_retry_period":0,"auto_renew_product_id":"p",
             "receipt":{"bid":"acme","transaction_id":"8","original_transaction_id":"7",
              "product_id":"p","purchase_date_ms":"1000","expires_date":"1500000000000",
              "expires_date_formatted":"2017-07-14 02:40:00 Etc/GMT"},
             "latest_expired_receipt_info":{"bid":"acme","transaction_id":"9",
              "original_transaction_id":"7","product_id":"p",
              "purchase_date":"1970-01-01 00:00:02 Etc/GMT",
              "expires_date_formatted":"2017-07-14 02:40:00 Etc/GMT"}}
            """#)
        let receipt = try #require(answer.receipt)
        #expect(receipt.head == "iOS6 acme Production")
        let words = [
            "8 of 7: p 1000-1500000000000", "9 of 7: p 2000-1500000000000 latest",
            "renewal of 7: false as p, voluntary",
        ]
        #expect(receipt.words == words)
    }

    @Test(
        "Numbers, booleans and single objects are accepted where Apple documents otherwise",
        arguments: [
            #"""
            {"transaction_id":1,"product_id":"p","purchase_date_ms":1000,
              "expires_date_ms":5000,"is_trial_period":true}
            """#,
            #"""
            [{"transaction_id":1,"product_id":"p","purchase_date_ms":1000.9,
              "expires_date_ms":"5000.0","is_trial_period":1}]
            """#,
            #"""
            [{"transaction_id":"1","product_id":"p",
              "purchase_date":"1970-01-01 00:00:01 Etc\/GMT",
              "expires_date":"1970-01-01 00:00:05 Etc/GMT","is_trial_period":"1"}]
            """#,
        ])
    func tolerant(list: String) throws {
        #expect(try Self.receipt(#""in_app":\#(list)"#).words == ["1 of 1: p 1000-5000 trial"])
    }

    private static let known = #""transaction_id":"2","product_id":"p","#

    @Test(
        "A malformed line is set aside, and the others are kept",
        arguments: [
            (#"{"product_id":"p","purchase_date_ms":"1"}"#, "transaction_id"),
            (#"{"transaction_id":"2","purchase_date_ms":"1"}"#, "product_id of 2"),
            (#"{"transaction_id":"2","product_id":"p"}"#, "purchase_date of 2"),
            (#"{\#(known)"purchase_date_ms":"soon"}"#, "purchase_date of 2"),
            (#"{\#(known)"purchase_date_ms":"1","expires_date_ms":"x"}"#, "expires_date of 2"),
            (
                #"{\#(known)"purchase_date_ms":"1","cancellation_date":"9"}"#,
                "cancellation_date of 2"
            ),
            (
                #"{\#(known)"purchase_date_ms":"1","cancellation_date":{}}"#,
                "cancellation_date of 2"
            ),
            (#"{\#(known)"purchase_date_ms":"1","expires_date_ms":true}"#, "expires_date of 2"),
            (#"{\#(known)"purchase_date_ms":[1]}"#, "purchase_date of 2"),
            ("7", "in_app"), ("null", "in_app"),
        ])
    func anomalies(odd: String, key: String) throws {
        let words = try Self.receipt(#""in_app":[\#(odd),\#(Self.line())]"#).words
        #expect(words == ["1 of 1: p 1000", "malformed \(key)"])
    }

    /// Peculiarities of real answers among them.
    static let cases: [AnswerCase] = [
        AnswerCase(
            "ids out of order",
            latest: [
                line(#","expires_date_ms":"2000""#, id: "300"),
                line(#","expires_date_ms":"3000""#, id: "100"),
                line(#","expires_date_ms":"4000""#, id: "200"),
            ], is: "100 of 100: p 1000-3000 latest", "200 of 200: p 1000-4000 latest",
            "300 of 300: p 1000-2000 latest"),
        AnswerCase(
            "an upgrade without a cancellation, and a refund that is not the last",
            latest: [
                line(#","expires_date_ms":"9000","is_upgraded":"true""#),
                line(#","cancellation_date_ms":"2500""#, id: "2"), line(id: "3"),
            ], is: "1 of 1: p 1000-9000 upgraded latest", "2 of 2: p 1000 cancelled 2500 latest",
            "3 of 3: p 1000 latest"),
        AnswerCase(
            "milliseconds beside a text of another day",
            latest: [
                #"{\#(known)"purchase_date":"2017-12-18 00:00:00 Etc/GMT","#
                    + #""purchase_date_ms":"000000"}"#
            ], is: "2 of 2: p 0 latest"),
        AnswerCase(
            "ids of 18 digits", inApp: [line(id: "501136461303889853")],
            is: "501136461303889853 of 501136461303889853: p 1000"),
        AnswerCase(
            "empty dates", inApp: [line(#","cancellation_date":"","cancellation_date_ms":"""#)],
            is: "1 of 1: p 1000"),
        AnswerCase(
            "a Pacific date, which is never read",
            inApp: [
                line(#","cancellation_date_pst":"2019-05-21 10:33:21 America/Los_Angeles""#)
            ], is: "1 of 1: p 1000"),
        AnswerCase(
            "an id twice with different content",
            inApp: [
                line(#","expires_date_ms":"5000","in_app_ownership_type":"PURCHASED""#),
                line(#","expires_date_ms":"6000","is_trial_period":"true""#), line(id: "2"),
            ], is: "2 of 2: p 1000", "malformed transaction_id twice of 1"),
        AnswerCase(
            "a renewal without a chain, as in 2017, which is of the chains of its product",
            inApp: [line(), line(id: "\"2\"")],
            renewals: [#"{"product_id":"p","auto_renew_status":"0"}"#],
            is: "1 of 1: p 1000", "2 of 2: p 1000", "renewal of 1: false", "renewal of 2: false"),
        AnswerCase(
            "two such renewals, which are ambiguous", latest: [line()],
            renewals: [
                #"{"product_id":"p","auto_renew_status":"0","is_in_billing_retry_period":"1"}"#,
                #"{"product_id":"p","auto_renew_status":"1","expiration_intent":"2"}"#,
            ], is: "1 of 1: p 1000 latest", "renewal of 1: true, billing retry"),
    ]

    @Test("Lists are read the same in any order", arguments: cases, [false, true])
    func lists(row: AnswerCase, isReversed: Bool) throws {
        #expect(try row.read(isReversed: isReversed) == row.expected)
    }

    @Test(
        "Fifty thousand purchases of any kind are accepted, and no more", arguments: ["{}", "1"])
    func bounded(element: String) throws {
        func list(_ key: String, _ count: Int) -> String {
            #""\#(key)":["#
                + Array(repeating: element, count: count).joined(separator: ",") + "]"
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
