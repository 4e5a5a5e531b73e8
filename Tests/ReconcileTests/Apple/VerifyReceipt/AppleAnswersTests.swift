import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The outcome of Apple's answers", .timeLimit(.minutes(10)))
struct AppleAnswersTests {
    private static let valid = AppleAnswer.verified()
    private static let textual = valid.replacing(#"s":0"#, with: #"s":"0""#)
    private static let gone = "refused account_gone | sound"
    private static let malformed = "unverified malformed_according_to_apple | ambiguous"
    private static let unreadable = "unverified malformed_answer | troubled"
    private static let permanent = "unverified apple_unavailable | sound"
    private static let unavailable = "unverified apple_unavailable | troubled"
    private static let undocumented = "unverified apple_unavailable | ambiguous"
    private static let incomplete = "unverified incomplete_answer | ambiguous"

    /// The secret and the number of attempts, if they matter; what Apple does (`ServerReply`), one
    /// reply after the other with `>`, the last one repeatedly; after commas other replies with the
    /// same result, the first of which may be empty; the servers asked; the outcome; what the last
    /// reply says of Apple.
    private static let cases = """
        | 0+, 21006+, {"status":21006,"receipt":{"bid":"acme"}} | P | verified | sound
        | \u{FEFF}\(valid), \t\r\n\(valid)\r\n, \(textual) | P | verified | sound
        2        | 0                   | PP   | unverified incomplete_answer | ambiguous
        | 21010, 21010!, ="21010", {"environment":"PROD","status":21010} | P | \(gone)
        | 21005 > HTTP503 > 21010      | PPP  | \(gone)
        secret   | 21003, 21003+, 21003?, ="21003" | P | refused not_authentic | sound
        secret 1 | 21003               | P    | refused not_authentic | sound
        secret   | 21007 > 21003       | PS   | refused not_authentic | sound
        none     | 21003               | P    | unverified shared_secret_missing | sound
        none     | 21004               | P    | unverified shared_secret_missing | secretMismatch
        secret   | 21004, ="21004"     | P    | unverified shared_secret_rejected | secretMismatch
        | 21007 > 0+                   | PS   | verified | sound
        | 21007 > 21008 > 0+           | PSP  | verified | sound
        | 21007 > 21008 > 21007        | PSP  | unverified environment_loop | elsewhere
        1        | 21007 > 21008       | PS   | unverified environment_loop | elsewhere
        | 21007 > 21007                | PSSSS | unverified apple_unavailable | troubled
        | 21000                        | P    | unverified request_refused | notUnderstood
        | 21002, 21002!, {"status":21002,"exception":"java.lang.X"} | PPPP | \(malformed)
        | 21001, 21005, 21008, 21009 | PPPP | \(unavailable)
        | 21011, 21099, 21200, 20999, 29999, 1, -1 | PPPP | \(undocumented)
        | -9223372036854775808, 9223372036854775807 | PPPP | \(undocumented)
        | 21001!, 21005!, 21009!, 21100?, 21150?   | PPPP | \(unavailable)
        | 21100, 21150, 21199, 21199?, 21005 > 21009 > 29999 > 21001 | PPPP | \(unavailable)
        | 21100!, 21104!, 21150!, 21199!, \(retryable(#"false,"false",0,"0""#)) | P | \(permanent)
        | =21104,"is_retryable":false,"is-retryable":true   | P | \(permanent)
        | =21104,"is-retryable":[],"is_retryable":false     | P | \(permanent)
        | \(retryable(#"true,"true",1,"1",null,"","no",2,[],{}"#)) | PPPP | \(unavailable)
        | 21002 > 0+, 21104? > 0+, 21005! > 0+ | PP | verified | sound
        | 21005 > 21005 > 21005 > 21007 > 21005 > 21005 > 21005 > 0+ | PPPPSSSS | verified | sound
        | reset                        | PPPP | unverified connection_failed | troubled
        | over 16 MiB                  | PPPP | unverified answer_too_large | troubled
        | HTTP429                      | PPPP | unverified http_status | throttled
        2        | <html> > HTTP429    | PP   | unverified http_status | throttled
        | HTTP201, HTTP399, HTTP503     | PPPP | unverified http_status | troubled
        | HTTP400, HTTP428, HTTP430, HTTP499 | PPPP | unverified http_status | ambiguous
        | , <html>, [], null, true, 0.0, "0", {}, {"Status":0}, =null, =true | PPPP | \(unreadable)
        | ="", ="+5", =" 0", ="0x0", ="٠", =1.5, =1e3, =1e400, =[0], ={}     | PPPP | \(unreadable)
        | =9223372036854775808, {"status":, {"status":0, =0}, {"status":0}x  | PPPP | \(unreadable)
        | {"status":0}\0, =0,, =0,"status":1, \u{FEFF}\u{FEFF}{"status":0} | PPPP | \(unreadable)
        | 0, ="0", 21006, =0,"receipt":{"in_app":[]}, =0,"x":1               | PPPP | \(incomplete)
        | =0,"receipt":null, =0,"receipt":[] | PPPP | \(incomplete)
        """.rows

    @Test("The answers decide which server is asked next, and the outcome", arguments: cases)
    func leads(row: [String]) async throws {
        for script in Script.all(row) {
            let (look, lines, asks) = try await script.look()
            #expect(look.words == row[3], "\(script)")
            #expect(asks.map(\.environment.initial).joined() == row[2], "\(script)")
            #expect(Set(asks.map(\.body)).count == 1, "each server gets the same body")
            #expect(script.rows.last.map { "\($0.server)" } == row[4])
            script.check(look, lines)
        }
    }

    /// Answers with each of these values under either key.
    private static func retryable(_ values: String) -> String {
        values.split(separator: ",").flatMap { value in
            ["is_retryable", "is-retryable"].map { #"{"status":21104,"\#($0)":\#(value)}"# }
        }.joined(separator: ", ")
    }

    @Test("The cases cover every row of the table of replies")
    func isComplete() {
        let found = Set(Self.cases.flatMap(Script.all).flatMap(\.rows).map { "\($0)" })
        #expect(found == Set(AppleStatus.all.map { "\($0)" }))
        #expect(found.count == AppleStatus.all.count)
    }

    @Test("The detail says in words why an answer is not JSON")
    func notJSON() {
        for (body, detail) in [
            ("", "syntax error at byte 0"), (#"{"status":0"#, "syntax error at byte 11"),
            (#"{"a":0,"a":1}"#, "duplicate key at byte 8"), ("{\"\u{1}", "syntax error at byte 2"),
        ] { #expect(ServerReply(body).reply.detail == "the answer is not JSON: " + detail) }
    }
}

/// The replies to one look in order, with the initials of the servers that give them.
private struct Script {
    let given: [ServerReply]
    let servers: [String]
    let hasSecret: Bool, maxAttempts: Int

    /// The alternatives of a row, with and without a secret unless the row says which.
    static func all(_ row: [String]) -> [Script] {
        let isGiven = row[0].hasPrefix("secret") || row[0] == "none"
        let secrets = isGiven ? [row[0] != "none"] : [true, false]
        let servers = row[2].map { String($0) }
        return row[1].components(separatedBy: ", ").flatMap { words in
            let replies = words.components(separatedBy: " > ").map(ServerReply.init)
            let given = servers.indices.map { replies[min($0, replies.count - 1)] }
            let most = Int(row[0].suffix(1)) ?? 4
            return secrets.map {
                Script(given: given, servers: servers, hasSecret: $0, maxAttempts: most)
            }
        }
    }

    var rows: [AppleStatus] {
        zip(given, servers).map { given, server in
            .of(given.reply, from: server == "P" ? .production : .sandbox, hasSecret: hasSecret)
        }
    }

    func look() async throws -> (QuestionResult, [RequestLine], [ScriptedApple.Ask]) {
        let asked = Shared(0)
        let lines = Shared<[RequestLine]>([])
        let apple = try ScriptedApple { [given] _ in
            given[min(asked.update { $0 += 1 }, given.count) - 1].acts
        }
        let secrets = hasSecret ? "* = x" : ""
        let asking = try Asking.testing(apple, secrets: secrets, log: lines) {
            $0.receiptDeadline = .seconds(200)
            $0.maxAttempts = maxAttempts
        }
        let question = try asking.question(TestDatabase.receipt("r"))
        return (try await asking.look(at: question, of: "r1"), lines.current, apple.asks)
    }

    /// Each request is recorded, and logs a line about it.
    func check(_ look: QuestionResult, _ lines: [RequestLine]) {
        #expect(lines.allSatisfy { $0.receipt == "r1" && $0.duration > .zero })
        #expect(lines.map(\.server.initial) == servers)
        #expect(lines.map(\.attempt) == Array(1...given.count))
        #expect(lines.map(\.httpStatus) == given.map(\.httpStatus))
        #expect(lines.map(\.status) == given.map(\.status))
        #expect(lines.map(\.bytes) == given.map(\.body.utf8.count))
        let failures = lines.map { $0.failure?.hasPrefix("curl ") == true }
        #expect(failures == given.map { $0.httpStatus == nil })
        let requests = look.requests.all
        #expect(requests.map(\.server.initial) == servers)
        let retries = requests.count { $0.isRetry }
        #expect(retries == servers.count - Set(servers).count)
        #expect(requests.map(\.status) == given.map(\.status))
        #expect(requests.map(\.httpStatus) == given.map(\.httpStatus))
        let attempts = look.attempts
        #expect(attempts.count == given.count && attempts.server?.initial == servers.last)
        #expect(attempts.lastStatus == requests.compactMap(\.status).last)
        #expect(attempts.lastHTTPStatus == given.last?.httpStatus)
        let evidence = given.last { $0.httpStatus == 200 }
        #expect(look.body?.bytes == evidence.map { Array($0.body.utf8) })
        #expect(attempts.answeredAt == evidence.map { _ in .asOf })
        if case .refused(let refusal) = look { #expect(refusal.server.initial == servers.last) }
        #expect((attempts.detail == nil) == (look.words == "verified"))
        guard let detail = attempts.detail, let last = given.last else { return }
        let server = servers.last == "P" ? "production" : "sandbox"
        #expect(detail.hasSuffix(" (\(server), attempt \(given.count))"))
        #expect(last.httpStatus == nil || detail.hasPrefix(last.reply.detail))
    }
}

/// A reply of the simulated Apple, and what should be seen of it.
private struct ServerReply: Sendable {
    let acts: [LoopbackServer.Act]
    /// Nil when no complete answer comes.
    var httpStatus: Int?
    var body = ""

    private static let failures: [String: LoopbackServer.Act] = [
        "reset": .reset,
        "over 16 MiB": .send("HTTP/1.1 200 OK\r\nContent-Length: 16777217\r\n\r\n"),
    ]

    /// - Parameter words: a status, with `+` for a receipt in the answer, `!` for `is_retryable`
    ///   false and `?` for true; or another status of HTTP; or a failure; or the body, whose status
    ///   and further members may be given after `=`.
    init(_ words: String) {
        if let failure = Self.failures[words] {
            acts = [failure]
            return
        }
        let code = words.hasPrefix("HTTP") ? Int(words.suffix(3)) : nil
        httpStatus = code ?? 200
        body = code == nil ? Self.body(words) : "?"
        acts = [.reply(status: "\(code ?? 200) So", body)]
    }

    private static func body(_ words: String) -> String {
        if words.first == "=" { return #"{"status":\#(words.dropFirst())}"# }
        let flag = words.last.flatMap { "+!?".contains($0) ? $0 : nil }
        let digits = flag == nil ? words : String(words.dropLast())
        guard let status = Int(digits) else { return words }
        guard flag != "+" else {
            return AppleAnswer.verified().replacing(#""status":0"#, with: #""status":\#(status)"#)
        }
        let isRetryable = flag.map { #","is_retryable":\#($0 == "?")"# } ?? ""
        return #"{"status":\#(status)\#(isRetryable)}"#
    }

    var reply: ValidationReply {
        guard let httpStatus else { return .unreachable }
        guard httpStatus == 200 else { return .httpStatus(httpStatus) }
        do throws(VerifyReceiptAnswer.Unreadable) {
            return .answer(try VerifyReceiptAnswer.read(Array(body.utf8), from: .production))
        } catch {
            return ValidationReply(error)
        }
    }

    var status: Int? {
        guard case .answer(let answer) = reply else { return nil }
        return answer.status.rawValue
    }
}

extension AppleServer {
    fileprivate var initial: String { environment.initial }
}

extension StoreEnvironment {
    fileprivate var initial: String { String(rawValue.prefix(1)) }
}
