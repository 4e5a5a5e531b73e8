import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A server's announcement of its end")
struct RetirementNoticeTests {
    @Test(
        "The announcement is read with its dates, or else quoted",
        arguments: [
            (
                "@1688169599", "Sun, 11 Nov 2029 23:59:59 GMT",
                "verifyReceipt is deprecated as of 2023-06-30T23:59:59Z and ends on"
                    + " 2029-11-11T23:59:59Z. "
            ),
            ("true", nil, "verifyReceipt is deprecated (true). "),
            ("Sun, 11 Nov 2018 23:59:59 GMT", nil, "is deprecated as of 2018-11-11T23:59:59Z. "),
            (nil, "soon", "verifyReceipt ends (soon). "),
            ("@99999999999999999999", nil, "is deprecated (@99999999999999999999). "),
            (nil, "\u{1B}[2J\u{202E}", "verifyReceipt ends (?[2J?). "),
        ] as [(String?, String?, String)])
    func reading(deprecation: String?, sunset: String?, sentence: String) throws {
        let response = HTTPResponse(
            status: 200, body: [], retryAfter: [], date: nil, deprecation: deprecation,
            sunset: sunset, requestID: nil)
        let notice = try #require(RetirementNotice(response, now: Instant(milliseconds: 0)))
        #expect(notice.sentence.contains(sentence), "\(notice.sentence)")
    }

    @Test("Without its header lines there is no announcement, and the quoted text is limited")
    func bounds() {
        #expect(Self.notice(nil) == nil)
        let long = String(repeating: "x", count: 9_999)
        #expect(Self.notice(long)?.deprecation?.count == 100)
    }

    private static func notice(_ deprecation: String?) -> RetirementNotice? {
        RetirementNotice(deprecation: deprecation, deprecatedAt: nil, sunset: nil, endsAt: nil)
    }

    @Test("The announcement is looked for in the first answer of each connection")
    func firstAnswer() async throws {
        let server = try LoopbackServer(
            "HTTP/1.1 200 OK\r\nDeprecation: @1688169599\r\nContent-Length: 2\r\n\r\n{}")
        let client = try HTTPClient(HTTPConfiguration(maxConnections: 1, userAgent: "test"))
        let url = "http://127.0.0.1:\(server.port)/"
        let first = try await client.post([], to: url, timeout: .seconds(30))
        #expect(first.deprecation == "@1688169599")
        #expect(try await client.post([], to: url, timeout: .seconds(30)).deprecation == nil)
    }
}
