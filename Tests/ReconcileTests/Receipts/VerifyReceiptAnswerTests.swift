import Testing

@testable import Reconcile

@Suite("An answer of verifyReceipt")
struct VerifyReceiptAnswerTests {
    private func read(
        _ text: String, from server: StoreEnvironment = .production
    ) throws -> VerifyReceiptAnswer {
        try VerifyReceiptAnswer.read(Array(text.utf8), from: server)
    }

    private func receipt(_ members: String, latest: String = "") throws -> Receipt {
        try #require(
            try read(
                #"{"status":0,"environment":"Production","#
                    + #""receipt":{"bundle_id":"acme",\#(members)}\#(latest)}"#
            ).receipt)
    }

    private func line(_ more: String = "", id: String = "\"1\"") -> String {
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
        #expect(try read(text).status.rawValue == status)
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
        #expect(throws: VerifyReceiptAnswer.Unreadable.self) { try read(text) }
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
        #expect(try read(#"{"status":21104,\#(member)}"#).isRetryable == expected)
    }

    @Test("An answer has a receipt only with a status of a valid receipt and a bundle id")
    func holdsReceipt() throws {
        let body = #""receipt":{"bundle_id":"acme","in_app":[]}"#
        #expect(try read(#"{"status":0,\#(body)}"#).receipt?.bundle == "acme")
        #expect(try read(#"{"status":21006,\#(body)}"#).receipt?.bundle == "acme")
        #expect(try read(#"{"status":21010,\#(body)}"#).receipt == nil)
        for none in [#""receipt":null"#, #""receipt":[]"#, #""receipt":{"in_app":[]}"#, #""x":1"#] {
            #expect(try read(#"{"status":0,\#(none)}"#).receipt == nil)
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
        #expect(try read(text, from: server).receipt?.environment == expected)
    }

    @Test("A modern answer is read completely, whatever the order of its keys")
    func modern() throws {
        let answer = try read(
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
            receipt
                == Receipt(
                    bundle: "acme", environment: .production,
                    createdAt: Instant(milliseconds: 2000),
                    requestedAt: Instant(milliseconds: 4000), originalApplicationVersion: "1.0",
                    originalPurchaseAt: Instant(milliseconds: 100),
                    transactions: [
                        Transaction(
                            id: "8", originalID: "7", product: "p",
                            purchasedAt: Instant(milliseconds: 1000),
                            expiresAt: Instant(milliseconds: 5000),
                            cancelledAt: Instant(milliseconds: 3000), cancellationReason: "1",
                            isUpgraded: true, isTrial: true, isIntroductoryOffer: true,
                            promotionalOffer: "o", offerCode: "c", ownership: .familyShared,
                            isInLatest: true)
                    ],
                    renewals: [
                        Renewal(
                            originalID: "7", willRenew: false, renewsAs: "q",
                            expirationIntent: .billing, isInBillingRetry: true,
                            gracePeriodExpiresAt: Instant(milliseconds: 9000))
                    ]))
    }

    @Test("An iOS 6 answer is one flat transaction, with milliseconds in `expires_date`")
    func iOS6() throws {
        let answer = try read(
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
            """#, from: .production)
        let receipt = try #require(answer.receipt)
        #expect(receipt.style == .iOS6)
        #expect(receipt.createdAt == nil)
        #expect(receipt.transactions.map(\.id) == ["8", "9"])
        #expect(
            receipt.transactions.map(\.expiresAt)
                == [1_500_000_000_000, 1_500_000_000_000].map { Instant(milliseconds: $0) })
        #expect(receipt.transactions.last?.purchasedAt == Instant(milliseconds: 2000))
        #expect(
            receipt.renewals == [
                Renewal(
                    originalID: "7", willRenew: false, renewsAs: "p", expirationIntent: .voluntary)
            ])
    }

    @Test("The two lists are merged key by key; the latter wins unless its value is missing")
    func merges() throws {
        let first = line(#","expires_date_ms":"5000","is_trial_period":"true""#)
        let second = line(#","expires_date_ms":"6000","is_trial_period":null,"is_upgraded":"true""#)
        let receipt = try receipt(
            #""in_app":[\#(first)]"#, latest: #","latest_receipt_info":[\#(second)]"#)
        let transaction = try #require(receipt.transactions.first)
        #expect(receipt.transactions.count == 1)
        #expect(transaction.expiresAt == Instant(milliseconds: 6000))
        #expect(transaction.isTrial && transaction.isUpgraded)
    }

    @Test("An id that one list has twice is set aside, whatever the order")
    func orderless() throws {
        let one = line(#","expires_date_ms":"5000","in_app_ownership_type":"PURCHASED""#)
        let two = line(#","expires_date_ms":"6000","is_trial_period":"true""#)
        let forward = try receipt(#""in_app":[\#(one),\#(two)]"#)
        let backward = try receipt(#""in_app":[\#(two),\#(one)]"#)
        #expect(forward == backward)
        #expect(forward.transactions.isEmpty && forward.anomalies.count == 1)
    }

    @Test(
        "Numbers, booleans and single objects are accepted where Apple documents otherwise",
        arguments: [
            #"""
            "in_app":{"transaction_id":1,"product_id":"p","purchase_date_ms":1000,
              "expires_date_ms":5000,"is_trial_period":true}
            """#,
            #"""
            "in_app":[{"transaction_id":1,"product_id":"p","purchase_date_ms":1000.9,
              "expires_date_ms":"5000.0","is_trial_period":1}]
            """#,
            #"""
            "in_app":[{"transaction_id":"1","product_id":"p",
              "purchase_date":"1970-01-01 00:00:01 Etc\/GMT",
              "expires_date":"1970-01-01 00:00:05 Etc/GMT","is_trial_period":"1"}]
            """#,
        ])
    func tolerant(members: String) throws {
        let receipt = try receipt(members)
        #expect(receipt.anomalies.isEmpty)
        let transaction = try #require(receipt.transactions.first)
        #expect(transaction.id == "1" && transaction.originalID == "1" && transaction.isTrial)
        #expect(transaction.purchasedAt == Instant(milliseconds: 1000))
        #expect(transaction.expiresAt == Instant(milliseconds: 5000))
    }

    @Test("Ids of 18 digits are exact")
    func exactIDs() throws {
        let receipt = try receipt(#""in_app":[\#(line(id: "501136461303889853"))]"#)
        #expect(receipt.transactions.map(\.id) == ["501136461303889853"])
    }

    private static let known = #""transaction_id":"2","product_id":"p","#

    @Test(
        "A malformed line is set aside, and the others are kept",
        arguments: [
            (#"{"product_id":"p","purchase_date_ms":"1"}"#, "transaction_id"),
            (#"{"transaction_id":"2","purchase_date_ms":"1"}"#, "product_id"),
            (#"{"transaction_id":"2","product_id":"p"}"#, "purchase_date"),
            (#"{\#(known)"purchase_date_ms":"soon"}"#, "purchase_date"),
            (#"{\#(known)"purchase_date_ms":"1","expires_date_ms":"x"}"#, "expires_date"),
            (#"{\#(known)"purchase_date_ms":"1","cancellation_date":"9"}"#, "cancellation_date"),
            (#"{\#(known)"purchase_date_ms":"1","cancellation_date":{}}"#, "cancellation_date"),
            (#"{\#(known)"purchase_date_ms":"1","expires_date_ms":true}"#, "expires_date"),
            (#"{\#(known)"purchase_date_ms":[1]}"#, "purchase_date"),
            ("7", "in_app"), ("null", "in_app"),
        ])
    func anomalies(odd: String, key: String) throws {
        let receipt = try receipt(#""in_app":[\#(odd),\#(line())]"#)
        #expect(receipt.transactions.map(\.id) == ["1"])
        #expect(receipt.anomalies.map(\.key) == [key])
    }

    @Test("A renewal without a chain, as in 2017, belongs to the chain of its product")
    func unnamedRenewal() throws {
        let receipt = try receipt(
            #""in_app":[\#(line()),\#(line(id: "\"2\""))]"#,
            latest: #","pending_renewal_info":[{"product_id":"p","auto_renew_status":"0"}]"#)
        #expect(receipt.renewals.map(\.originalID) == ["1", "2"])
        #expect(receipt.renewals.map(\.willRenew) == [false, false])
    }

    @Test("An empty date is missing")
    func emptyDates() throws {
        let receipt = try receipt(
            #""in_app":[\#(line(#","cancellation_date":"","cancellation_date_ms":"""#))]"#)
        #expect(receipt.transactions.first?.cancelledAt == nil)
        #expect(receipt.anomalies.isEmpty)
    }

    @Test("Pacific dates are never read")
    func pacific() throws {
        let receipt = try receipt(
            #"""
            "in_app":[{"transaction_id":"1","product_id":"p","purchase_date_ms":"1000",
              "cancellation_date_pst":"2019-05-21 10:33:21 America/Los_Angeles"}]
            """#
        )
        #expect(receipt.transactions.first?.cancelledAt == nil)
    }
}

@Suite("A timestamp in Apple's answer")
struct AppleTimestampTests {
    @Test(
        "Milliseconds are read, and a fraction is cut off",
        arguments: [
            ("1613766826665", 1_613_766_826_665), ("0", 0), ("1000.999", 1000), ("-1", -1),
            ("-1.5", -2), ("253402300799999", 253_402_300_799_999),
        ] as [(String, Int64)])
    func milliseconds(text: String, expected: Int64) {
        #expect(
            AppleTimestamp.instant(milliseconds: text.utf8) == Instant(milliseconds: expected))
    }

    @Test(
        "Text that is not a number is refused",
        arguments: [
            "", "-", "1.", ".5", "1e12", "12a", " 1", "+1", "253402300800000",
            "9999999999999999999999", "NaN",
        ])
    func noMilliseconds(text: String) {
        #expect(AppleTimestamp.instant(milliseconds: text.utf8) == nil)
    }

    @Test(
        "Text in GMT is read",
        arguments: [
            ("2019-05-21 17:33:21 Etc/GMT", 1_558_460_001_000),
            ("2019-05-21T17:33:21Z", 1_558_460_001_000), ("1558460001000", 1_558_460_001_000),
            ("2019-05-21 10:33:21 America/Los_Angeles", nil), ("9999-99-99 99:99:99 Etc/GMT", nil),
            ("2019-02-30 17:33:21 Etc/GMT", nil), ("21.05.2019", nil), ("", nil),
        ] as [(String, Int64?)])
    func text(text: String, expected: Int64?) {
        #expect(
            AppleTimestamp.instant(text: text.utf8) == expected.map { Instant(milliseconds: $0) })
    }
}
