import Testing

@testable import Reconcile

/// The smallest made-up answers that show a peculiarity of real ones.
@Suite("Peculiarities of Apple's real answers")
struct AnswerLessonTests {
    private func receipt(_ text: String) throws -> Receipt {
        try #require(try VerifyReceiptAnswer.read(Array(text.utf8), from: .production).receipt)
    }

    private func answer(
        latest: [String], renewals: [String] = [], receipt: String = #""bundle_id":"a""#
    ) -> String {
        #"{"status":0,"environment":"Production","receipt":{\#(receipt)},"#
            + #""latest_receipt_info":[\#(latest.joined(separator: ","))],"#
            + #""pending_renewal_info":[\#(renewals.joined(separator: ","))]}"#
    }

    private func line(_ id: String, chain: String? = "1", _ members: String) -> String {
        let original = chain.map { #""original_transaction_id":"\#($0)","# } ?? ""
        return #"{"transaction_id":"\#(id)",\#(original)"product_id":"p",\#(members)}"#
    }

    @Test("The order of transactions does not matter, nor do ids out of order")
    func anyOrder() throws {
        let lines = [
            line("300", #""purchase_date_ms":"1000","expires_date_ms":"2000""#),
            line("100", #""purchase_date_ms":"2000","expires_date_ms":"3000""#),
            line("200", #""purchase_date_ms":"3000","expires_date_ms":"4000""#),
        ]
        let expected = try receipt(answer(latest: lines)).sorted
        #expect(try receipt(answer(latest: lines.reversed())).sorted == expected)
        #expect(try receipt(answer(latest: [lines[1], lines[2], lines[0]])).sorted == expected)
    }

    @Test("An upgrade has is_upgraded and no cancellation, and so is not a refund")
    func upgrades() throws {
        let receipt = try receipt(
            answer(latest: [
                line(
                    "1", #""purchase_date_ms":"1000","expires_date_ms":"9000","is_upgraded":"true""#
                ),
                line("2", #""purchase_date_ms":"2000","cancellation_date_ms":"2500""#),
                line("3", #""purchase_date_ms":"3000","expires_date_ms":"9500""#),
            ]))
        let byID = Dictionary(uniqueKeysWithValues: receipt.transactions.map { ($0.id, $0) })
        #expect(byID["1"]?.isUpgraded == true && byID["1"]?.cancelledAt == nil)
        #expect(byID["1"]?.expiresAt == Instant(milliseconds: 9000))
        // The refund is of a transaction that is not the last.
        #expect(byID["2"]?.cancelledAt == Instant(milliseconds: 2500))
        #expect(byID["3"]?.cancelledAt == nil)
    }

    @Test("A receipt may lack `original_application_version`")
    func versionless() throws {
        let receipt = try receipt(answer(latest: []))
        #expect(receipt.originalApplicationVersion == nil && receipt.style == .modern)
    }

    @Test("An answer may have a byte order mark, a status in a string and an unknown environment")
    func spellings() throws {
        let receipt = try receipt(
            "\u{FEFF}" + #"{"status":"0","environment":"PROD","receipt":{"bundle_id":"a"}}"#)
        #expect(receipt.environment == .production)
    }

    @Test("Milliseconds may have a fraction, and may be numbers")
    func fractions() throws {
        let receipt = try receipt(
            answer(latest: [
                line("1", #""purchase_date_ms":1476873599000.5,"expires_date_ms":1476873599001"#)
            ]))
        #expect(receipt.transactions.first?.purchasedAt == Instant(milliseconds: 1_476_873_599_000))
        #expect(receipt.transactions.first?.expiresAt == Instant(milliseconds: 1_476_873_599_001))
    }

    @Test("The milliseconds count where the text of a date differs")
    func millisecondsFirst() throws {
        let receipt = try receipt(
            answer(latest: [
                line(
                    "1",
                    #""purchase_date":"2017-12-18 00:00:00 Etc/GMT","purchase_date_ms":"000000""#)
            ]))
        #expect(receipt.transactions.first?.purchasedAt == Instant(milliseconds: 0))
    }

    @Test("A transaction without a chain is its own chain")
    func chainless() throws {
        let receipt = try receipt(
            answer(latest: [line("7", chain: nil, #""purchase_date_ms":"1000""#)]))
        #expect(receipt.transactions.map(\.originalID) == ["7"])
    }

    @Test("Renewals of one product without a chain are ambiguous, whatever their order")
    func unnamedRenewals() throws {
        let lines = [line("1", #""purchase_date_ms":"1000""#)]
        let renewals = [
            #"{"product_id":"p","auto_renew_status":"0","is_in_billing_retry_period":"1"}"#,
            #"{"product_id":"p","auto_renew_status":"1","expiration_intent":"2"}"#,
        ]
        let forward = try receipt(answer(latest: lines, renewals: renewals))
        let backward = try receipt(answer(latest: lines, renewals: renewals.reversed()))
        #expect(forward == backward)
        #expect(forward.renewals.map(\.willRenew) == [true])
        #expect(forward.renewals.map(\.isInBillingRetry) == [true])
    }

    @Test("A transaction that one list has twice with different content is set aside")
    func twice() throws {
        let lines = [
            line("1", #""purchase_date_ms":"1000","expires_date_ms":"2000""#),
            line("1", #""purchase_date_ms":"1500","is_trial_period":"true""#),
            line("2", #""purchase_date_ms":"3000","expires_date_ms":"4000""#),
        ]
        let forward = try receipt(answer(latest: lines))
        #expect(forward.sorted == (try receipt(answer(latest: lines.reversed())).sorted))
        #expect(forward.transactions.map(\.id) == ["2"])
        #expect(Set(forward.anomalies.map(\.transaction)) == ["1"])
    }

    @Test("Purchases next to a status that has no receipt are ignored")
    func otherStatus() throws {
        let text = answer(latest: [line("1", #""purchase_date_ms":"1000""#)])
        for status in ["21002", "21003", "21007", "1"] {
            let other = text.replacing("\"status\":0", with: "\"status\":\(status)")
            #expect(
                try VerifyReceiptAnswer.read(Array(other.utf8), from: .production).receipt == nil)
        }
    }
}
