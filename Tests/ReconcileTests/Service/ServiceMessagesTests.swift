import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Messages of the receipt validation service")
struct ServiceMessagesTests {
    @Test(
        "A request is an object with a receipt and an optional user",
        arguments: [
            (#"{"receipt-data":"MII\/A"}"#, "MII/A", nil),
            (#" { "user_id" : "u\u00e9", "x": [1], "receipt-data" : "" } "#, "", "ué"),
            (#"{"user_id":null,"receipt-data":"M"}"#, "M", nil),
        ] as [(String, String, UserID?)])
    func request(text: String, receipt: String, user: UserID?) throws {
        let request = try ValidationRequest(Array(text.utf8))
        #expect(request.receipt == ReceiptData(receipt) && request.user == user)
    }

    @Test(
        "Any other request is refused, without repeating any of it",
        arguments: [
            "", "garbage", "null", "[]", #""MIIT""#, "{}", #"{"receipt-data":5}"#,
            #"{"receipt-data":null}"#, #"{"receipt-data":"MIIT","user_id":[7]}"#,
            #"{"receipt-data":"MIIT"}{}"#, #"{"receipt-data":"MIIT","receipt-data":"MIIU"}"#,
            #"{"receipt-data":"MIIT","user_id":""}"#,
            #"{"receipt-data":"MIIT","user_id":"\u0000"}"#,
            #"{"receipt-data":"MIIT","user_id":""# + String(repeating: "u", count: 513) + #""}"#,
            String(repeating: "[", count: 100_000),
        ])
    func noRequest(text: String) {
        #expect {
            try ValidationRequest(Array(text.utf8))
        } throws: { error in
            (error as? BadRequest)?.isTooLarge == false && !"\(error)".contains("MIIT")
        }
    }

    @Test("A request may have 16 MiB and not one byte more")
    func size() throws {
        let start = Array(#"{"receipt-data":"MIIT"}"#.utf8)
        let blanks = [UInt8](repeating: 0x20, count: ValidationRequest.mostBytes - start.count)
        _ = try ValidationRequest(start + blanks)
        #expect(throws: BadRequest.tooLarge) { try ValidationRequest(start + blanks + [0x20]) }
    }

    @Test(
        "An answer has exactly the bytes of the specification",
        arguments: [
            (
                ServiceAnswer.ok([
                    .init(remoteProduct: #"q"\é/"# + "\n", downloadKey: "k-1"),
                    .init(remoteProduct: "z", downloadKey: "k_2"),
                ]).bytes,
                #"{"status":"ok","products":[{"product_id":"q\"\\é/\n","download_key":"k-1"},"#
                    + #"{"product_id":"z","download_key":"k_2"}]}"#
            ),
            (ServiceAnswer.fail.bytes, #"{"status":"fail","products":[]}"#),
            (
                ServiceAnswer.unavailable("Apple is silent.").bytes,
                #"{"status":"fail","products":[]}"#
            ),
            (
                // The expiry is in whole seconds.
                KeyAnswer.ok(
                    DownloadKey(
                        receipt: [0xAB] + [UInt8](repeating: 0, count: 31), product: "p",
                        productKey: "f", environment: .production, expiresAt: .asOf),
                    remoteProduct: "r"
                ).bytes,
                #"{"status":"ok","product_key":"f","receipt_sha256":"ab"#
                    + String(repeating: "0", count: 62)
                    + #"","environment":"Production","expires_at":"\#(Instant.asOf)"}"#
            ),
            (KeyAnswer.fail(.unknownKey).bytes, #"{"status":"fail","reason":"unknown_key"}"#),
        ])
    func answer(bytes: [UInt8], text: String) {
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test("The name of an asset must be a single file name that is safe in a header")
    func percentEncoded() {
        #expect("remote.book-1_~".percentEncoded == "remote.book-1_~")
        #expect("../a b\r\né".percentEncoded == "..%2Fa%20b%0D%0A%C3%A9")
    }

    @Test("Of simultaneous calls with one key one does the work, and the others share its result")
    func singleFlight() async {
        let flight = SingleFlight<String, Int>()
        let calls = Shared(0)
        let values = await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    await flight.value(for: "key") {
                        while flight.waiting(for: "key") < 49 { await Task.yield() }
                        return calls.update { $0 += 1 }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values == [Int](repeating: 1, count: 50))
        let again = await flight.value(for: "key") { calls.update { $0 += 1 } }
        #expect(again == 2)
    }
}
