import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Shared secrets, a bucket's burst, and a server's announcement of its end")
struct ValidationSettingsTests {
    @Test(
        "The burst leaves room for late requests, more for shared buckets, and is never 0",
        arguments: [
            (10, 10, 9, 9), (20, 100, 19, 14), (1_000, 1_000, 990, 940), (50, 1_000, 40, 1),
            (2, 0.5, 1, 1), (1, 0.1, 1, 1), (1_000, 1e12, 1, 1),
        ] as [(burst: Int, rate: Double, local: Int, shared: Int)])
    func reserve(burst: Int, rate: Double, local: Int, shared: Int) {
        var settings = ValidationSettings()
        settings.burst = burst
        settings.rate = rate
        let bursts = [
            settings.localBurst(of: .production), settings.sharedBurst(of: .production),
        ]
        #expect(bursts == [local, shared])
    }

    @Test("A secret is found by its bundle, else under `*`, is never printed; there may be none")
    func lookup() throws {
        let secrets = try SharedSecrets(
            parsing: "\u{FEFF}# ours\r\n\r\nacme.a = one=1 \n\tacme.b=two\n* = rest")
        let bundles: [BundleID] = ["acme.a", "acme.b", "acme.c", "ACME.a"]
        let found = bundles.map { secrets.secret(for: $0)?.text }
        #expect(found == ["one=1", "two", "rest", "rest"])
        #expect(try SharedSecrets(parsing: "# nothing\n") == .none)
        #expect(SharedSecrets.none.secret(for: "acme.a") == nil)
        let secret = SharedSecret(text: "hunter2")
        var texts = ["", "", "\(secret)", String(reflecting: secret), String(reflecting: [secret])]
        dump(secret, to: &texts[0])
        dump(try SharedSecrets(parsing: "a = hunter2\n* = hunter2"), to: &texts[1])
        for text in texts {
            #expect(text.contains("‹redacted›"))
            #expect(!text.contains("hunter2"))
        }
    }

    @Test(
        "A bad line is refused by its number, and its text is never shown",
        arguments: [
            ("com.example.a hunter2", .malformed("secret"), 1),
            ("\na = b\n= hunter2", .malformed("secret"), 3),
            ("com.example.a =", .malformed("secret"), 1),
            ("a = hunter 2", .malformed("secret"), 1),
            ("a = hünter2", .malformed("secret"), 1),
            ("a = hunter2\u{0}", .malformed("secret"), 1),
            ("a = 1\n#\na = hunter2", .duplicate(ofLine: 1), 3),
            ("* = 1\n* = hunter2", .duplicate(ofLine: 1), 2),
        ] as [(text: String, reason: BundleLineError.Reason, line: Int)])
    func refused(text: String, reason: BundleLineError.Reason, line: Int) throws {
        let error = #expect(throws: BundleLineError.self) { try SharedSecrets(parsing: text) }
        #expect(error?.reason == reason)
        #expect(error?.line == line)
        let words = error?.description ?? ""
        #expect(words.contains("line \(line)"))
        #expect(!words.contains("nter"))
    }

    /// The header lines and a part of the notice. To add a case, copy a row.
    @Test(
        "The announcement is read with its dates, or else quoted in at most 100 characters",
        arguments: [
            (
                deprecation: "@1688169599", sunset: nil,
                sentence: "is deprecated as of 2023-06-30T23:59:59Z."
            ),
            ("true", nil, "verifyReceipt is deprecated (true)."),
            ("Sun, 11 Nov 2018 23:59:59 GMT", nil, "is deprecated as of 2018-11-11T23:59:59Z."),
            (
                "true", "Sun, 11 Nov 2029 23:59:59 GMT",
                "(true) and ends on 2029-11-11T23:59:59Z."
            ),
            (nil, "soon", "verifyReceipt ends (soon)."),
            ("@99999999999999999999", nil, "is deprecated (@99999999999999999999)."),
            (nil, "\u{1B}[2J\u{202E}", "verifyReceipt ends (?[2J?)."),
            (String(repeating: "x", count: 9_999), nil, "(\(String(repeating: "x", count: 100)))"),
        ] as [(deprecation: String?, sunset: String?, sentence: String)])
    func announcement(deprecation: String?, sunset: String?, sentence: String) throws {
        let response = HTTPResponse(
            status: 200, body: [], retryAfter: [], date: nil,
            deprecation: deprecation, sunset: sunset, requestID: nil)
        let notice = try #require(
            RetirementNotice(
                of: AnswerSource.verifyReceipt.name, response, now: Instant(milliseconds: 0)))
        #expect(notice.sentence.contains(sentence), "\(notice.sentence)")
    }

    @Test("The announcement is looked for in the first answer of each connection, if there is one")
    func firstAnswer() async throws {
        let header = "Deprecation: @1688169599"
        let server = try LoopbackServer { _ in [.reply(headers: [header], "{}")] }
        let client = try HTTPClient(HTTPConfiguration(maxConnections: 1, userAgent: "test"))
        for deprecation in ["@1688169599", nil] {
            let answer = try await client.post([], to: server.url, timeout: .seconds(30))
            #expect(answer.deprecation == deprecation)
            let notice = RetirementNotice(of: AnswerSource.verifyReceipt.name, answer, now: .asOf)
            #expect((notice == nil) == (deprecation == nil))
        }
    }
}
