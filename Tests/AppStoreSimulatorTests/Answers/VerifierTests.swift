import Foundation
import Testing

@testable import AppStoreSimulator

@Suite("The simulated verifyReceipt")
struct VerifierTests {
    private let store = SimulatedStore.demo(customers: 1_000)

    private func text(
        _ body: [UInt8], at environment: SimulatedEnvironment = .production
    ) -> String {
        String(
            decoding: Verifier(store: store).answer(to: body, at: environment).body, as: UTF8.self)
    }

    private func json(_ body: [UInt8]) throws -> [String: Any] {
        var answer = Verifier(store: store).answer(to: body, at: .production).body[...]
        if answer.first == 0xEF { answer = answer.dropFirst(3) }
        return try #require(
            try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any])
    }

    @Test("The two servers, secrets, forgeries and noise get Apple's statuses")
    func refusals() throws {
        let (tester, owner) = (try store.body(living: .tester), try store.body(living: .owner))
        #expect(text(tester) == #"{"status":21007}"#)
        #expect(text(tester, at: .sandbox).contains("ProductionSandbox"))
        #expect(text(owner, at: .sandbox) == #"{"status":21008}"#)
        #expect(text(try store.body(living: .forged)) == #"{"status":21003}"#)
        let lost = text(try store.body(living: .accountGone))
        #expect(lost == #"{"environment":"Production","status":21010,"is_retryable":false}"#)
        for noise in ["", "[]", "{\"receipt-data\":", "null", "{\"receipt-data\":\"AAAA\"} x"] {
            #expect(text(Array(noise.utf8)) == #"{"status":21000}"#, "\(noise)")
        }
        let whole = String(decoding: owner, as: UTF8.self)
        let secret = try #require(SimulatedApp.all.first).secret
        let scraps = #"{"receipt-data":"bm90IGEgcmVjZWlwdA==""#
        for body in [
            whole.replacing("MII", with: "MII\\r\\n", maxReplacements: 1),
            whole.replacing("MII", with: "M-I", maxReplacements: 1), scraps + "}",
            #"{"receipt-data":""}"#, scraps + #","password":"\#(secret)"}"#,
        ] {
            #expect(text(Array(body.utf8)).hasPrefix(#"{"status":21002"#))
        }
        // A secret of no app counts before the receipt.
        for body in [
            whole.replacing(#/"password":"\w+"/#, with: #""password":"wrong""#),
            whole.replacing(#/,"password.*/#, with: "}"), scraps + #","password":"wrong"}"#,
        ] {
            #expect(text(Array(body.utf8)) == #"{"environment":"Production","status":21004}"#)
        }
    }

    @Test("A receipt that was changed, or that another world made, counts as a forgery")
    func seals() throws {
        // Some owners' receipts are stored as damaged text.
        let whole = (0..<1_000).lazy.map(store.customer).filter { $0.card.story == .owner }
            .compactMap { Base64Text.decoded(strictly: Array(store.receipt(of: $0).data.utf8)) }
        var bytes = try #require(whole.first)
        let place = try #require(bytes.firstRange(of: Array("com.example".utf8))?.lowerBound)
        bytes[place] ^= 1
        #expect(PresentedReceipt(bytes) == .forged)
        let elsewhere = SimulatedStore.demo(seed: 2, customers: 1_000)
        let stranger = try #require(elsewhere.customer(living: .owner))
        #expect(text(elsewhere.body(for: stranger)) == #"{"status":21003}"#)
    }

    @Test("A subscriber's answer has each date in three forms and each value as a string")
    func modern() throws {
        let body = try json(store.body(living: .collector))
        let receipt = try #require(body["receipt"] as? [String: Any])
        #expect(receipt["receipt_type"] as? String == "Production")
        #expect(receipt["bundle_id"] as? String == "com.example.atlas")
        #expect(receipt["adam_id"] is NSNumber)
        #expect(receipt["request_date_ms"] is String)
        #expect((receipt["in_app"] as? [Any])?.isEmpty == false)
        #expect(body["latest_receipt"] is String)
        let lines = try #require(body["latest_receipt_info"] as? [[String: Any]])
        for line in lines {
            for key in ["purchase_date", "original_purchase_date", "expires_date"] {
                #expect((line[key] as? String)?.hasSuffix(" Etc/GMT") == true)
                #expect(Int(line[key + "_ms"] as? String ?? "") != nil)
                #expect((line[key + "_pst"] as? String)?.hasSuffix("America/Los_Angeles") == true)
            }
            #expect(line["quantity"] as? String == "1" && line["cancellation_date"] == nil)
            #expect(line["web_order_line_item_id"] is String)
        }
        let renewals = try #require(body["pending_renewal_info"] as? [[String: Any]])
        #expect(renewals.allSatisfy { $0["auto_renew_status"] as? String == "1" })
    }

    @Test("The answer leaves out old transactions when the request asks for that")
    func excludesOld() throws {
        let customer = try #require(
            (0..<1_000).map(store.customer).first {
                $0.card.story == .subscriber && $0.accounts[0].subscriptions[0].periods.count > 3
            })
        let all = try json(store.body(for: customer))
        let whole = String(decoding: store.body(for: customer), as: UTF8.self)
        let short = whole.dropLast() + #","exclude-old-transactions":true}"#
        let latest = try json(Array(short.utf8))
        #expect((all["latest_receipt_info"] as? [Any])?.count ?? 0 > 3)
        #expect((latest["latest_receipt_info"] as? [Any])?.count == 1)
    }

    @Test("An iOS 6 receipt gets an answer in the iOS 6 form, with 21006 after expiry and refunds")
    func old() throws {
        let running = try json(store.body(living: .oldClient))
        #expect(running["status"] as? Int == 0)
        #expect(running["latest_receipt_info"] is [String: Any])
        #expect(running["auto_renew_status"] as? Int == 1)
        var forms: Set<Int?> = []
        for customer in (0..<1_000).map(store.customer)
        where customer.card.story == .oldClientExpired {
            let over = try json(store.body(for: customer))
            #expect(over["status"] as? Int == 21_006)
            let latest = try #require(over["latest_expired_receipt_info"] as? [String: Any])
            #expect(latest["bid"] as? String == "com.example.atlas")
            let milliseconds = latest["expires_date_ms"] ?? latest["expires_date"]
            #expect((milliseconds as? String)?.count == 13)
            forms.insert((latest["expires_date"] as? String)?.count)
        }
        // Each date in milliseconds (13) or as `2026-11-20 02:00:00 Etc/GMT` (27 characters).
        #expect(forms == [13, 27])
        let refunded = try json(store.body(living: .oldClientRefunded))
        let latest = try #require(
            (refunded["latest_receipt_info"] ?? refunded["latest_expired_receipt_info"])
                as? [String: Any])
        for key in ["cancellation_date", "cancellation_date_ms", "cancellation_date_pst"] {
            #expect(latest[key] is String, "\(key)")
        }
    }

    @Test(
        "Pacific dates follow daylight saving time",
        arguments: [
            (1_558_460_001_000, "2019-05-21 10:33:21 America/Los_Angeles"),
            (1_605_658_468_000, "2020-11-17 16:14:28 America/Los_Angeles"),
            (1_583_661_599_000, "2020-03-08 01:59:59 America/Los_Angeles"),
            (1_583_661_600_000, "2020-03-08 03:00:00 America/Los_Angeles"),
            (1_604_221_199_000, "2020-11-01 01:59:59 America/Los_Angeles"),
            (1_604_221_200_000, "2020-11-01 01:00:00 America/Los_Angeles"),
        ] as [(Int64, String)])
    func pacific(milliseconds: Int64, text: String) {
        #expect(Moment(milliseconds: milliseconds).pacificText == text)
    }
}
