import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: the text of a key file and what the message about it says; or a test with a key
/// ring.
@Suite("A download key")
struct DownloadKeyTests {
    fileprivate static func ring(_ keys: KeyValuePairs<String, UInt8>) throws -> KeyRing {
        let lines = keys.map { "\($0) = " + base64([UInt8](repeating: $1, count: 32)) }
        return try KeyRing(parsing: lines.joined(separator: "\n"))
    }

    fileprivate static let key = DownloadKey(
        receipt: Array(0..<32), product: "com.acme.map", productKey: "file-é-1",
        environment: .sandbox, expiresAt: .asOf)

    private let ring: KeyRing
    init() throws { ring = try Self.ring(["k1": 7]) }

    @Test("Each key differs, and has one spelling; other text is refused, as is any changed byte")
    func forged() throws {
        let text = Self.key.sealed(by: ring)
        let other = Self.key.sealed(by: ring)
        #expect(text != other)
        #expect((text + other).wholeMatch(of: /[A-Za-z0-9._-]+/) != nil, "\(text) \(other)")
        // It is forged, or names an unknown key id.
        for index in text.utf8.indices {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect((try? DownloadKey(changed, with: ring)) == nil, "\(changed)")
        }
        // "AQJr" has only the first of its key id's two characters.
        for other in [
            "", "x", "garbage", "%%%", String(repeating: "A", count: 100_000), "AQ", "AQA", "AQJr",
            text + "=", text + "\n", " " + text,
        ] { #expect(throws: DownloadKey.Refusal.forged) { try DownloadKey(other, with: ring) } }
    }

    @Test("A key holds what it was issued for; the first line encrypts, and any line decrypts")
    func rotation() throws {
        let both = try Self.ring(["k2": 9, "k1": 7])
        let new = try Self.ring(["k2": 9])
        let former = Self.key.sealed(by: ring)
        let latter = Self.key.sealed(by: both)
        for (text, ring) in [(former, ring), (former, both), (latter, both), (latter, new)] {
            #expect(try DownloadKey(text, with: ring) == Self.key)
        }
        let impostor = try Self.ring(["k1": 1])
        #expect(throws: DownloadKey.Refusal.unknownKey) { try DownloadKey(former, with: new) }
        #expect(throws: DownloadKey.Refusal.unknownKey) { try DownloadKey(latter, with: ring) }
        #expect(throws: DownloadKey.Refusal.forged) { try DownloadKey(former, with: impostor) }
    }

    @Test("The key file holds lines as `keys new` prints them, comments and blank lines")
    func reads() throws {
        let (first, second) = (KeyRing.newLine(), KeyRing.newLine())
        #expect(first != second)
        let ring = try KeyRing(parsing: "# today's\r\n\(first)\r\n\n  \(second)  \n")
        #expect(first.hasPrefix(ring.sealing.id + " = "))
        #expect("\(ring)" == "‹redacted›")
    }

    @Test(
        "Another line in the key file is refused by its number, without its content",
        arguments: [
            (text: "", words: "no key"), ("# none\n", "no key"),
            ("\nsecret-without-equals", "Line 2"),
            ("k = c2hvcnQ=", "Line 1"), ("k\u{E9} = x", "Line 1"), (twice, "Line 2"),
            ("a b = AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "Line 1"),
        ])
    func refused(text: String, words: String) {
        let error = #expect(throws: KeyRingError.self) { try KeyRing(parsing: text) }
        let message = error?.description ?? ""
        #expect(message.contains(words), "\(message)")
        #expect(!message.contains("secret-without"), "\(message)")
        #expect(message.contains("reconcile-job keys new") || text == Self.twice, "\(message)")
    }

    private static let twice = {
        let line = KeyRing.newLine()
        return line + "\n" + line
    }()
}

@Suite("The opener of download keys", .database(.nothing))
struct KeyOpenerTests: DatabaseSuite {
    @Test("A key opens nothing from its expiry on", arguments: [-1, 0, 86_400_000])
    func expiry(milliseconds: Int64) async throws {
        let ring = try DownloadKeyTests.ring(["k1": 7])
        let now = DownloadKeyTests.key.expiresAt + .milliseconds(milliseconds)
        let opener = KeyOpener(keys: ring, database: try await connect(), now: { now })
        let answer = await opener.open(DownloadKeyTests.key.sealed(by: ring))
        // Before its expiry the database is asked, which lacks the tables here.
        #expect((answer == .fail(.expired)) == (milliseconds >= 0), "\(answer)")
    }
}

/// To add a case: the JSON of a request with its receipt and user, or one that is refused.
@Suite("Messages of the receipt validation service")
struct ServiceMessagesTests {
    @Test(
        "A request is an object with a receipt and an optional user",
        arguments: [
            (json: #"{"receipt-data":"MII\/A"}"#, receipt: "MII/A", user: nil),
            (#"{ "user_id" : "u\u00e9", "x": [1], "receipt-data" : "" }"#, "", "ué"),
            (#"{"user_id":null,"receipt-data":"M"}"#, "M", nil),
        ] as [(json: String, receipt: String, user: UserID?)])
    func request(json: String, receipt: String, user: UserID?) throws {
        let request = try ValidationRequest(Array(" \(json) ".utf8))
        #expect(request.receipt == ReceiptData(receipt))
        #expect(request.user == user)
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
        let error = #expect(throws: BadRequest.self) { try ValidationRequest(Array(text.utf8)) }
        #expect(error?.isTooLarge == false)
        #expect(error.map { "\($0)".contains("MIIT") } == false)
    }

    @Test("A request may have 16 MiB and not one byte more")
    func size() throws {
        let start = Array(#"{"receipt-data":"MIIT"}"#.utf8)
        let most = start + [UInt8](repeating: 0x20, count: (16 << 20) - start.count)
        _ = try ValidationRequest(most)
        #expect(throws: BadRequest.tooLarge) { try ValidationRequest(most + [0x20]) }
    }

    @Test("An answer of the service is JSON with exactly these bytes")
    func answer() {
        let answers = [
            ServiceAnswer.ok([
                .init(remoteProduct: "q\"\\é/\n", downloadKey: "k-1"),
                .init(remoteProduct: "z", downloadKey: "k_2"),
            ]).bytes,
            ServiceAnswer.fail.bytes, ServiceAnswer.unavailable("Apple is silent.").bytes,
            KeyAnswer.ok(DownloadKeyTests.key, remoteProduct: "r").bytes,
            KeyAnswer.fail(.unknownKey).bytes,
        ]
        // The expiry is in whole seconds.
        #expect(
            answers.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n") == #"""
                {"status":"ok","products":[{"product_id":"q\"\\é/\n","download_key":"k-1"},\#
                {"product_id":"z","download_key":"k_2"}]}
                {"status":"fail","products":[]}
                {"status":"fail","products":[]}
                {"status":"ok","product_key":"file-é-1","receipt_sha256":"\#
                000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\#
                ","environment":"Sandbox","expires_at":"\#(Instant.asOf)"}
                {"status":"fail","reason":"unknown_key"}
                """#)
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
        let gate = Semaphore(permits: 0)
        let tasks = (0..<50).map { _ in
            Task.immediate {
                await flight.value(for: "key") {
                    try? await gate.wait()
                    return calls.update { $0 += 1 }
                }
            }
        }
        #expect(flight.waiting(for: "key") == 49)
        gate.signal(50)
        for task in tasks { #expect(await task.value == 1) }
        #expect(await flight.value(for: "key", { calls.update { $0 += 1 } }) == 2)
    }
}
