import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The burst of a token bucket")
struct ValidationSettingsTests {
    /// The burst, the rate, the local burst, the shared burst.
    @Test(
        "The burst leaves room for late requests, more for shared buckets, and is never 0",
        arguments: [
            (10, 10, 9, 9), (20, 100, 19, 14), (1_000, 1_000, 990, 940), (50, 1_000, 40, 1),
            (2, 0.5, 1, 1), (1, 0.1, 1, 1), (1_000, 1e12, 1, 1),
        ] as [(Int, Double, Int, Int)])
    func reserve(burst: Int, rate: Double, local: Int, shared: Int) {
        var settings = ValidationSettings()
        settings.burst = burst
        #expect(settings.localBurst(rate: rate) == local)
        #expect(settings.sharedBurst(rate: rate) == shared)
    }
}

@Suite("Shared secrets")
struct SharedSecretsTests {
    @Test("A secret is found by its bundle, else under `*`, and a team may have none")
    func lookup() throws {
        let secrets = try SharedSecrets(
            parsing: "\u{FEFF}# ours\r\n\r\ncom.example.a = one=1 \n\tcom.example.b=two\n* = rest")
        for (bundle, secret) in [
            ("com.example.a", "one=1"), ("com.example.b", "two"), ("com.example.c", "rest"),
            ("COM.example.a", "rest"),
        ] { #expect(secrets.secret(for: BundleID(bundle))?.text == secret) }
        #expect(try SharedSecrets(parsing: "# nothing\n") == .none)
        #expect(SharedSecrets.none.secret(for: "com.example.a") == nil)
    }

    @Test(
        "A bad line is refused by its number, and its text is never shown",
        arguments: [
            ("com.example.a hunter2", .malformed, 1), ("\na = b\n= hunter2", .malformed, 3),
            ("com.example.a =", .malformed, 1), ("a = hunter 2", .malformed, 1),
            ("a = hünter2", .malformed, 1), ("a = hunter2\u{0}", .malformed, 1),
            ("a = 1\n#\na = hunter2", .duplicate(ofLine: 1), 3),
            ("* = 1\n* = hunter2", .duplicate(ofLine: 1), 2),
        ] as [(String, SharedSecretsError.Reason, Int)])
    func refused(text: String, reason: SharedSecretsError.Reason, line: Int) {
        let error = #expect(throws: SharedSecretsError.self) {
            _ = try SharedSecrets(parsing: text)
        }
        #expect(error?.reason == reason)
        #expect(error?.line == line)
        #expect(error?.description.contains("Line \(line)") == true)
        #expect(error?.description.contains("nter") == false)
    }

    @Test("Secrets print as redacted in every form")
    func redacted() throws {
        let secret = SharedSecret(text: "hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        dump(try SharedSecrets(parsing: "a = hunter2\n* = hunter2"), to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), String(reflecting: [secret]), dumped]
        {
            #expect(text.contains("‹redacted›"))
            #expect(!text.contains("hunter2"))
        }
    }
}

@Suite("A server's announcement of its end")
struct RetirementNoticeTests {
    /// The header lines Deprecation and Sunset, of which `-` is missing.
    @Test(
        "The announcement is read with its dates, or else quoted in at most 100 characters",
        arguments: textTriples(
            """
            @1688169599                   | - | is deprecated as of 2023-06-30T23:59:59Z.
            true                          | - | verifyReceipt is deprecated (true).
            Sun, 11 Nov 2018 23:59:59 GMT | - | is deprecated as of 2018-11-11T23:59:59Z.
            true | Sun, 11 Nov 2029 23:59:59 GMT | (true) and ends on 2029-11-11T23:59:59Z.
            -                             | soon | verifyReceipt ends (soon).
            @99999999999999999999         | - | is deprecated (@99999999999999999999).
            -                             | \u{1B}[2J\u{202E} | verifyReceipt ends (?[2J?).
            \(String(repeating: "x", count: 9_999)) | - | (\(String(repeating: "x", count: 100)))
            """))
    func reading(deprecation: String, sunset: String, sentence: String) throws {
        let response = HTTPResponse(
            status: 200, body: [], retryAfter: [], date: nil,
            deprecation: deprecation == "-" ? nil : deprecation,
            sunset: sunset == "-" ? nil : sunset, requestID: nil)
        let notice = try #require(RetirementNotice(response, now: Instant(milliseconds: 0)))
        #expect(notice.sentence.contains(sentence), "\(notice.sentence)")
    }

    @Test("The announcement is looked for in the first answer of each connection, if there is one")
    func firstAnswer() async throws {
        let server = try LoopbackServer(
            "HTTP/1.1 200 OK\r\nDeprecation: @1688169599\r\nContent-Length: 2\r\n\r\n{}")
        let client = try HTTPClient(HTTPConfiguration(maxConnections: 1, userAgent: "test"))
        let url = "http://127.0.0.1:\(server.port)/"
        let first = try await client.post([], to: url, timeout: .seconds(30))
        #expect(first.deprecation == "@1688169599")
        let second = try await client.post([], to: url, timeout: .seconds(30))
        #expect(RetirementNotice(second, now: .asOf) == nil)
    }
}
