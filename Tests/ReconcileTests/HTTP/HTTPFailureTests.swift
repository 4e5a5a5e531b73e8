import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with a label, what a `LoopbackServer` does (`.send`, `.reset`, `.hangUp`),
/// and the reason of the error.
@Suite("A failed HTTP request", .hangLimit)
struct HTTPFailureTests {
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    /// Header lines of 1 KiB.
    private static func lines(_ count: Int) -> String {
        String(repeating: "X: " + String(repeating: "x", count: 1_019) + "\r\n", count: count)
    }

    private static let longLine = "X: " + String(repeating: "x", count: 200_000)

    private func failure(
        at url: String, of client: HTTPClient? = nil, timeout: Duration = .seconds(60)
    ) async throws -> HTTPError? {
        await #expect(throws: HTTPError.self) {
            _ = try await (client ?? .testing()).post([1, 2, 3], to: url, timeout: timeout)
        }
    }

    /// The tests of faults on Apple's side show more causes.
    @Test(
        "The error says what failed; the client still reads head lines and bodies up to the limit",
        arguments: [
            ("hang-up before the answer", [.hangUp], .interrupted),
            ("reset midway", [.send(ok + "Content-Length: 9\r\n\r\nab"), .reset], .interrupted),
            ("cut body", [.send(ok + "Content-Length: 9\r\n\r\nab"), .hangUp], .interrupted),
            ("no gzip", [.reply(headers: ["Content-Encoding: gzip"], "plain")], .undecodable),
            ("no HTTP at all", [.send("SSH-2.0-x\r\n"), .hangUp], .other),
            ("a body over the limit", [.reply(String(repeating: "7", count: 16_385))], .tooLarge),
            ("head lines without end", [.send(ok + lines(70)), .stall], .tooLarge),
            ("a head line without end", [.send(ok + longLine), .stall], .tooLarge),
            ("trailers without end", [.send(chunked + "0\r\n" + lines(70)), .stall], .tooLarge),
        ] as [(name: String, acts: [LoopbackServer.Act], reason: HTTPError.Reason)])
    func reasons(name: String, acts: [LoopbackServer.Act], reason: HTTPError.Reason) async throws {
        let longest = String(repeating: "7", count: 16_384)
        let good = Self.ok + Self.lines(60) + "Content-Length: 16384\r\n\r\n" + longest
        let server = try LoopbackServer { $0.number == 0 ? acts : [.send(good)] }
        let client = try HTTPClient.testing()
        let error = try await failure(at: server.url + "?secret=1", of: client)
        #expect(error?.reason == reason, "\(name)")
        #expect(error?.description.contains("secret") == false)
        #expect(server.requests.count == 1)
        #expect(try await client.post(to: server).body == Array(longest.utf8))
    }

    @Test("A hang-up before the answer is described in libcurl's words")
    func hangUp() async throws {
        let server = try LoopbackServer { _ in [.hangUp] }
        let error = try await failure(at: server.url)
        let rest = "(curl 52: Server returned nothing (no headers, no data)). Try again."
        #expect(error?.description == "The connection broke before the answer was complete " + rest)
    }

    @Test("libcurl's shortage of memory is one of this machine, not a large answer")
    func memory() {
        #expect(HTTPError.Reason(curlCode: 27) == .shortage)
    }

    @Test("A request on a dead keep-alive connection fails and is not silently repeated")
    func once() async throws {
        let server = try LoopbackServer { $0.number == 1 ? [.hangUp] : [.reply("{}")] }
        let client = try HTTPClient.testing()
        _ = try await client.post(to: server)
        #expect(try await failure(at: server.url, of: client)?.reason == .interrupted)
        #expect(server.requests.count == 2)
    }

    @Test("A request ends at its timeout, which may be of any length, from below zero")
    func timeouts() async throws {
        let silent = try LoopbackServer { _ in [.stall] }
        for timeout in [Duration.milliseconds(60), .zero, .seconds(-1)] {
            #expect(try await failure(at: silent.url, timeout: timeout)?.reason == .timeout)
        }
        let server = try LoopbackServer { _ in [.reply("{}")] }
        for timeout in [Duration.seconds(Int64.max), .seconds(1 << 40)] {
            let answer = try await HTTPClient.testing().post([], to: server.url, timeout: timeout)
            #expect(answer.status == 200)
        }
    }

    @Test("A URL that is none, has a password or is not HTTP is refused")
    func unsupported() async throws {
        let host = "127.0.0.1:\(try LoopbackSocket.closedPort())"
        for url in [
            "ftp://\(host)/", "file:///etc/hosts", "http://user:word@\(host)/", "", "http://",
        ] {
            let error = try await failure(at: url)
            #expect(error?.reason == .other)
            #expect(error?.description.contains("word") == false)
        }
    }

    /// Other tests show that a certificate must be of the CA file and the host, from TLS 1.2 on.
    @Test("A CA file without certificates is refused as such", arguments: ["/dev/null", "/none"])
    func trust(file: String) async throws {
        let server = try TLSLoopbackServer(TLSCertificate())
        let url = "https://localhost:\(server.port)/"
        let error = await #expect(throws: HTTPError.self) {
            let client = try HTTPClient.testing(certificateFile: file)
            _ = try await client.post([], to: url, timeout: .seconds(60))
        }
        #expect(error?.reason == .certificate)
    }
}

@Suite("The header line Retry-After")
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT
    private static let now: Int64 = 784_111_777_000

    /// Header lines that mean the same delay. Of several values the greatest counts. Ten digits are
    /// UNIX time in seconds, if that is close to now. To add a case, add its lines to a list.
    @Test(
        "Seconds, HTTP dates and UNIX milliseconds are read in every valid form, and nothing else",
        arguments: [
            (
                milliseconds: 0,
                headers: [
                    ["0"], ["784111777000"], ["784111700000"], ["Sun, 06 Nov 1994 08:00:00 GMT"],
                ]
            ),
            (1_000, [["Sun Nov  6 08:49:38 1994"]]), (4_000, [["nonsense", "4"]]),
            (5_500, [["784111782500"]]), (6_000, [["5,6"]]), (7_000, [[" 7\t"], ["soon, 7"]]),
            (9_000, [["3", "9", "5"], ["9", "-1"]]),
            (10_000, [["Sun, 06 Nov 1994 08:49:47 GMT"], ["0784111787"]]),
            (10_000, [["3, Sun, 06 Nov 1994 08:49:47 GMT"]]), (120_000, [["120"], ["120, 60"]]),
            (60_000, [["Sunday, 06-Nov-94 08:50:37 GMT"]]),
            (3_600_000, [["3600"], ["3601"], ["999999999"], ["99999999999999"], ["784111787"]]),
            (3_600_000, [["Fri, 31 Dec 1999 23:59:59 GMT"], ["1234567890"], ["12345678901"]]),
            (3_600_000, [["123456789012345"], ["99999999999999999999999"]]),
            (
                nil,
                [
                    [], [""], [","], ["-1"], ["+5"], ["1.5"], ["1e3"], ["0x10"], ["5 seconds"],
                    ["５"], ["soon"], ["5 6"],
                ]
            ),
        ] as [(milliseconds: Int64?, headers: [[String]])])
    func reads(milliseconds: Int64?, headers: [[String]]) {
        for lines in headers {
            let delay = RetryAfter.delay(lines, date: nil, nowMilliseconds: Self.now)
            #expect(delay == milliseconds.map { .milliseconds($0) }, "\(lines)")
        }
    }

    @Test(
        "A date is measured from the server's own clock, if its Date line can be read",
        arguments: [
            (value: "784111782500", date: "Sun, 06 Nov 1994 08:49:40 GMT", milliseconds: 2_500),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "Sun, 06 Nov 1994 08:49:40 GMT", 7_000),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "yesterday", 10_000),
            ("30", "Sun, 06 Nov 1994 08:49:40 GMT", 30_000),
        ])
    func serverClock(value: String, date: String, milliseconds: Int) {
        let delay = RetryAfter.delay([value], date: date, nowMilliseconds: Self.now)
        #expect(delay == .milliseconds(milliseconds))
    }

    @Test(
        "A date that has another form, or does not exist, is refused",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT",
            "Mon, 06 Nov 1994 08:49:37 GMT", "Wed, 30 Feb 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
            "Sun Nov 06 08:49:37 94", "", "Sun, 06 Nov +994 08:49:37 GMT",
        ])
    func refused(text: String) {
        #expect(HTTPDate.milliseconds(text, nowMilliseconds: Self.now) == nil)
        // A year of two digits is at most 50 years ahead.
        for (now, text, milliseconds) in [
            (Instant.asOf.milliseconds, "Friday, 20-Nov-26 00:00:00 GMT", 1_795_132_800_000),
            (Instant.asOf.milliseconds, "Thursday, 01-Jan-70 00:00:00 GMT", nil),
            (Instant.asOf.milliseconds, "Wednesday, 01-Jan-70 00:00:00 GMT", 3_155_760_000_000),
            (Self.now, "Thursday, 01-Jan-70 00:00:00 GMT", 0),
        ] as [(Int64, String, Int64?)] {
            #expect(HTTPDate.milliseconds(text, nowMilliseconds: now) == milliseconds)
        }
    }
}
