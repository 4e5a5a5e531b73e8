import Foundation
import Testing

@testable import AppStoreSimulator
@testable import TestSupport

@Suite("The simulated verifyReceipt")
struct VerifierTests {
    private let store = SimulatedStore.demo()

    private func text(_ body: String, at server: SimulatedEnvironment = .production) -> String {
        let answer = Verifier(store: store).answer(to: Array(body.utf8), at: server)
        return String(decoding: answer.body, as: UTF8.self)
    }

    private func json(_ body: String) throws -> [String: Any] {
        let bytes = text(body).utf8.drop { $0 != UInt8(ascii: "{") }
        return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private func customers(living story: Story) -> [Customer] {
        (0..<store.customers).map(store.customer).filter { $0.card.story == story }
    }

    @Test("The two servers, secrets, forgeries and noise get Apple's statuses")
    func refusals() throws {
        let tester = try store.body(living: .tester)
        let owner = try store.body(living: .owner)
        #expect(text(tester) == #"{"status":21007}"#)
        #expect(text(tester, at: .sandbox).contains("ProductionSandbox"))
        #expect(text(owner, at: .sandbox) == #"{"status":21008}"#)
        #expect(text(try store.body(living: .forged)) == #"{"status":21003}"#)
        let lost = text(try store.body(living: .accountGone))
        #expect(lost == #"{"environment":"Production","status":21010,"is_retryable":false}"#)
        for noise in ["", "[]", "{\"receipt-data\":", "null", "{\"receipt-data\":\"AAAA\"} x"] {
            #expect(text(noise) == #"{"status":21000}"#, "\(noise)")
        }
        let secret = try #require(SimulatedApp.all.first).secret
        let scraps = #"{"receipt-data":"bm90IGEgcmVjZWlwdA==""#
        for body in [
            owner.replacing("MII", with: "MII\\r\\n", maxReplacements: 1),
            owner.replacing("MII", with: "M-I", maxReplacements: 1), scraps + "}",
            #"{"receipt-data":""}"#, scraps + #","password":"\#(secret)"}"#,
        ] {
            #expect(text(body).hasPrefix(#"{"status":21002"#))
        }
        // A secret of no app counts before the receipt.
        for body in [
            owner.replacing(#/"password":"\w+"/#, with: #""password":"wrong""#),
            owner.replacing(#/,"password.*/#, with: "}"), scraps + #","password":"wrong"}"#,
        ] {
            #expect(text(body) == #"{"environment":"Production","status":21004}"#)
        }
    }

    @Test("A receipt that was changed, or that another world made, counts as a forgery")
    func seals() throws {
        // Some owners' receipts are stored as damaged text.
        let whole = customers(living: .owner).compactMap { owner in
            Base64Text.decoded(
                strictly: Array(store.receipts(of: owner.number..<owner.number + 1)[0].data.utf8))
        }
        var bytes = try #require(whole.first)
        let place = try #require(bytes.firstRange(of: Array("com.example".utf8))?.lowerBound)
        bytes[place] ^= 1
        #expect(PresentedReceipt(bytes) == .forged)
        #expect(text(try SimulatedStore.demo(seed: 2).body(living: .owner)) == #"{"status":21003}"#)
    }

    @Test("A subscriber's answer has each date in three forms and each value as a string")
    func modern() throws {
        let body = try json(store.body(living: .collector))
        let receipt = try #require(body["receipt"] as? [String: Any])
        #expect(receipt["receipt_type"] as? String == "Production")
        #expect(receipt["bundle_id"] as? String == "com.example.atlas")
        #expect(receipt["adam_id"] is NSNumber && receipt["request_date_ms"] is String)
        #expect((receipt["in_app"] as? [Any])?.isEmpty == false)
        #expect(body["latest_receipt"] is String)
        for line in try #require(body["latest_receipt_info"] as? [[String: Any]]) {
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
            customers(living: .subscriber)
                .first { $0.accounts[0].subscriptions[0].periods.count > 3 })
        let whole = store.body(for: customer)
        let latest = try json(whole.dropLast() + #","exclude-old-transactions":true}"#)
        #expect((try json(whole)["latest_receipt_info"] as? [Any])?.count ?? 0 > 3)
        #expect((latest["latest_receipt_info"] as? [Any])?.count == 1)
    }

    @Test("An iOS 6 receipt gets an answer in the iOS 6 form, with 21006 after expiry and refunds")
    func old() throws {
        let running = try json(store.body(living: .oldClient))
        #expect(running["status"] as? Int == 0 && running["auto_renew_status"] as? Int == 1)
        #expect(running["latest_receipt_info"] is [String: Any])
        var forms: Set<Int?> = []
        for customer in customers(living: .oldClientExpired) {
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
        let latest = refunded["latest_receipt_info"] ?? refunded["latest_expired_receipt_info"]
        for key in ["cancellation_date", "cancellation_date_ms", "cancellation_date_pst"] {
            #expect((latest as? [String: Any])?[key] is String, "\(key)")
        }
    }

    @Test(
        "Pacific dates follow daylight saving time",
        arguments: textPairs(
            """
            1558460001000 | 2019-05-21 10:33:21 America/Los_Angeles
            1605658468000 | 2020-11-17 16:14:28 America/Los_Angeles
            1583661599000 | 2020-03-08 01:59:59 America/Los_Angeles
            1583661600000 | 2020-03-08 03:00:00 America/Los_Angeles
            1604221199000 | 2020-11-01 01:59:59 America/Los_Angeles
            1604221200000 | 2020-11-01 01:00:00 America/Los_Angeles
            """))
    func pacific(milliseconds: String, text: String) throws {
        #expect(Moment(milliseconds: try #require(Int64(milliseconds))).pacificText == text)
    }
}

@Suite("A minted receipt")
struct ReceiptMintTests {
    private let store = SimulatedStore.demo()

    @Test(
        "A minted receipt is PKCS#7 that OpenSSL verifies under the test authority, byte for byte")
    func verifies() throws {
        let text = try store.body(living: .owner).split(separator: "\"")[3]
        var receipt = try #require(Base64Text.decoded(strictly: Array(text.utf8)))
        #expect(try openssl(receipt) == 0)
        let place = try #require(receipt.firstRange(of: Array("com.example".utf8))?.lowerBound)
        receipt[place] ^= 1
        #expect(try openssl(receipt) != 0)
    }

    @Test("A minted receipt has Apple's attributes, including empty dates")
    func attributes() throws {
        let customer = try store.customer(living: .owner)
        let mark = ReceiptMark(seed: 1, customer: customer.number, account: 0, number: 1)
        let payload = ReceiptPayload(
            account: customer.accounts[0], mark: mark, createdAt: store.now
        ).encoded()
        var cursor = DERCursor(payload)
        let content = cursor.content(of: DERWriter.set)
        var attributes = cursor.inside(try #require(content))
        var types: [Int] = []
        while let attribute = attributes.content(of: DERWriter.sequence) {
            var fields = attributes.inside(attribute)
            let type = fields.content(of: 0x02)
            types.append(Int(payload[try #require(type).lowerBound]))
        }
        #expect(types == [0, 1, 2, 3, 4, 5, 10, 12, 17, 18, 19, 7])
        // 1712, cancellation date: an empty IA5String.
        let empty: [UInt8] = [0x02, 0x02, 0x06, 0xB0, 0x02, 0x01, 0x01, 0x04, 0x02, 0x16, 0x00]
        #expect(payload.firstRange(of: empty) != nil)
    }

    @Test(
        "A minted receipt holds a mark that can be read back", arguments: [0, 1, 255, 99_999_999])
    func marks(customer: Int) {
        let mark = ReceiptMark(seed: .max, customer: customer, account: 3, number: 700)
        #expect(ReceiptMark(mark.bytes) == mark)
        #expect(ReceiptMark(mark.bytes.dropLast()) == nil)
    }

    private func openssl(_ receipt: [UInt8]) throws -> Int32 {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.path + "/receipt")
        try Data(receipt).write(to: file)
        let pem = FixtureReceipts.pem(ThrowAwayAuthority.rootCertificate)
        let arguments = [
            "cms", "-verify", "-inform", "DER", "-in", file.path(), "-CAfile",
            try folder.write(pem, to: "root"), "-purpose", "any", "-binary", "-out", "/dev/null",
        ]
        return try ChildProcess("/usr/bin/openssl", arguments).wait()
    }
}
