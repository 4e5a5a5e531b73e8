import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The outcome of Apple's answers", .timeLimit(.minutes(10)))
struct AppleAnswersTests {
    private static let valid = AppleAnswer.verified()
    private static let malformed = "unverified malformed_according_to_apple | troubled"
    private static let incomplete = "unverified incomplete_answer | troubled"

    /// What Apple does, of which the last is repeated, or several such rows between commas; the
    /// servers that are asked; the outcome or the refusal; what the last reply says of its server.
    private static let cases = textTable(
        """
        0+, 21006+, {"status":21006,"receipt":{"bid":"acme"}} | P    | verified | sound
        two attempts: 0              | PP   | unverified incomplete_answer | troubled
        21010, 21010!, {"environment":"PROD","status":21010} | P | refused account_gone | sound
        21005 then HTTP503 then 21010 | PPP  | refused account_gone | sound
        secret: 21003, 21003+        | P    | refused not_authentic | sound
        secret, one attempt: 21003   | P    | refused not_authentic | sound
        secret: 21007 then 21003     | PS   | refused not_authentic | sound
        no secret: 21003             | P    | unverified shared_secret_missing | sound
        no secret: 21004             | P    | unverified shared_secret_missing | secretMismatch
        secret: 21004, {"status":"21004"} | P | unverified shared_secret_rejected | secretMismatch
        21007 then 0+                | PS   | verified | sound
        21007 then 21008 then 0+     | PSP  | verified | sound
        21007 then 21008 then 21007  | PSP  | unverified environment_loop | elsewhere
        one attempt: 21007 then 21008 | PS   | unverified environment_loop | elsewhere
        21007 then 21007             | PSSSS | unverified apple_unavailable | troubled
        21008                        | PPPP | unverified apple_unavailable | troubled
        21000                        | P    | unverified request_refused | notUnderstood
        21002, 21002!                | PPPP | unverified malformed_according_to_apple | troubled
        21001, 21005, 21009, 21011, 21099, 21200 | PPPP | unverified apple_unavailable | troubled
        20999, 29999, 99999, 1, -1, min, max | PPPP | unverified apple_unavailable | troubled
        21001!, 21005!, 21009!, 21100?, 21150? | PPPP | unverified apple_unavailable | troubled
        21100, 21150, 21199, 21199?  | PPPP | unverified apple_unavailable | troubled
        21100!, 21104!, 21150!, 21199! | P    | unverified apple_unavailable | sound
        21002 then 0+, 21104? then 0+, 21005! then 0+ | PP   | verified | sound
        21005 then 21009 then 21001 then 29999 | PPPP | unverified apple_unavailable | troubled
        21199 then 21005 then 0+     | PPP  | verified | sound
        3 x 21005 then 21007 then 3 x 21005 then 0+ | PPPPSSSS | verified | sound
        <html> then HTTP503 then reset then 0+ | PPPP | verified | sound
        <html>                       | PPPP | unverified malformed_answer | troubled
        hang up, reset, half a body  | PPPP | unverified connection_failed | troubled
        secret: silence, half a head | PPPP | unverified timeout | troubled
        over 16 MiB                  | PPPP | unverified answer_too_large | troubled
        HTTP429                      | PPPP | unverified http_status | throttled
        two attempts: <html> then HTTP429 | PP   | unverified http_status | throttled
        HTTP201, HTTP204, HTTP301, HTTP302, HTTP307 | PPPP | unverified http_status | troubled
        HTTP400, HTTP401, HTTP403, HTTP404, HTTP428 | PPPP | unverified http_status | troubled
        HTTP430, HTTP499, HTTP500, HTTP502, HTTP503 | PPPP | unverified http_status | troubled
        HTTP599, HTTP600 | PPPP | unverified http_status | troubled
        \u{FEFF}\(valid), \t\r\n\(valid)\r\n | P | verified | sound
        \(valid.replacing(#"s":0"#, with: #"s":"0""#)) | P | verified | sound
        secret: {"status":"21003","is_retryable":true} | P | refused not_authentic | sound
        {"status":21002,"exception":"java.lang.X"} | PPPP | \(malformed)
        0, 21006, {"status":0,"receipt":{"in_app":[]}}, {"status":0,"x":1} | PPPP | \(incomplete)
        {"status":0,"receipt":null}, {"status":0,"receipt":[]} | PPPP | \(incomplete)
        """)

    @Test("The answers decide which server is asked next, and the outcome", arguments: cases)
    func leads(row: [String]) async throws { try await check(row) }

    @Test("The cases cover every row of the table of replies")
    func isComplete() {
        let found = Set(Self.cases.flatMap(Script.all).flatMap(\.rows).map { "\($0)" })
        #expect(found == Set(AppleStatus.all.map { "\($0)" }))
        #expect(found.count == AppleStatus.all.count)
    }

    @Test(
        "The key is_retryable ends the attempts if it is false, in either spelling",
        arguments: textTable(
            """
            P    | sound    | false | "false" | 0 | "0"
            PPPP | troubled | true | "true" | 1 | "1" | null | "" | "no" | 2 | [] | {}
            """))
    func retryable(row: [String]) async throws {
        let outcome = "unverified apple_unavailable"
        for value in row.dropFirst(2) {
            for key in ["is_retryable", "is-retryable"] {
                try await check([#"{"status":21104,"\#(key)":\#(value)}"#, row[0], outcome, row[1]])
            }
            // The newer spelling decides, in any order.
            for members in [
                #""is_retryable":false,"is-retryable":\#(value)"#,
                #""is-retryable":\#(value),"is_retryable":false"#,
            ] { try await check([#"{"status":21104,\#(members)}"#, "P", outcome, "sound"]) }
        }
    }

    @Test(
        "An answer without a whole status, or that is not one object, is unreadable",
        arguments: textTable(
            """
             | [] | [1,2,3] | null | true | 0.0 | "0" | "x" | {} | {"status":null} | {"status":true}
            {"status":""} | {"status":"+5"} | {"status":"+0"} | {"status":" 0"} | {"status":"0x0"}
            {"status":"ok"} | {"status":1.5} | {"status":0.5} | {"status":1e3} | {"status":[0]}
            {"status":{}} | {"Status":0} | {"status": | {"status":0 | {"status":0}} | {"status":0}x
            {"status":0,} | {"status":0,"status":0} | {"status":0,"status":21003}
            {"status":99999999999999999999} | <html><body>It works!</body></html>
            \u{FEFF}\u{FEFF}{"status":0} | {"status":0}\0
            """
        ).joined())
    func unreadable(body: String) async throws {
        try await check([body, "PPPP", "unverified malformed_answer", "troubled"])
    }

    @Test(
        "The detail says in words why an answer is not JSON",
        arguments: textPairs(
            """
                                    | syntax error at byte 0
            <html>                  | syntax error at byte 0
            {"status":0             | syntax error at byte 11
            {"status":0,"status":1} | duplicate key at byte 13
            {"a":"\u{1}"}           | syntax error at byte 6
            """))
    func notJSON(body: String, detail: String) {
        #expect(ServerReply(body).reply.detail == "the answer is not JSON: " + detail)
    }

    private func check(_ row: [String]) async throws {
        for script in Script.all(row) {
            let (look, lines, asks) = try await script.look()
            #expect(look.words == row[2], "\(script)")
            #expect(asks.map(\.environment.initial).joined() == row[1], "\(script)")
            #expect(Set(asks.map(\.body)).count == 1, "each server gets the same body")
            #expect(script.rows.last.map { "\($0.server)" } == row[3])
            script.check(look)
            script.check(lines)
        }
    }
}

/// The replies to one look in order, and everything that the validator records of them.
private struct Script {
    let given: [ServerReply]
    /// The initials of the servers that give them.
    let servers: [String]
    let hasSecret: Bool
    let maxAttempts: Int

    private static let conditions = [
        "secret", "secret, one attempt", "no secret", "one attempt", "two attempts",
    ]

    /// The alternatives of a row, with and without a secret unless the row says which.
    static func all(_ row: [String]) -> [Script] {
        let condition = conditions.first { row[0].hasPrefix($0 + ": ") } ?? ""
        let words = condition.isEmpty ? row[0] : String(row[0].dropFirst(condition.count + 2))
        return words.components(separatedBy: ", ").flatMap { words in
            let replies = words.components(separatedBy: " then ").flatMap { word in
                word.hasPrefix("3 x ")
                    ? Array(repeating: ServerReply(String(word.dropFirst(4))), count: 3)
                    : [ServerReply(word)]
            }
            let given = row[1].indices.enumerated().map { replies[min($0.0, replies.count - 1)] }
            return [true, false].filter { condition != ($0 ? "no secret" : "secret") }.map {
                Script(
                    given: given, servers: row[1].map { String($0) },
                    hasSecret: $0 || condition.hasPrefix("secret"),
                    maxAttempts: condition.hasSuffix("one attempt")
                        ? 1 : condition == "two attempts" ? 2 : 4)
            }
        }
    }

    var rows: [AppleStatus] {
        zip(given, servers).map { reply, server in
            AppleStatus.of(
                reply.reply, from: server == "P" ? .production : .sandbox, hasSecret: hasSecret)
        }
    }

    func look() async throws -> (Look, [RequestLine], [ScriptedApple.Ask]) {
        let asked = Shared(0)
        let lines = Shared<[RequestLine]>([])
        let apple = try ScriptedApple { [given] _ in
            given[min(asked.update { $0 += 1 }, given.count) - 1].acts
        }
        let validator = try AppStoreValidator.asking(apple, secrets: hasSecret ? "* = x" : "") {
            // A machine that is busy with other tests must not look like a timeout.
            if given.contains(where: \.isSilent) { $0.timeout = .milliseconds(200) }
            $0.receiptDeadline = .seconds(200)
            $0.maxAttempts = maxAttempts
        } log: { line in
            lines.update { $0.append(line) }
        }
        let question = try validator.question(TestDatabase.receipt("r"))
        let look = try await validator.look(at: question, of: "r1")
        return (look, lines.current, apple.asks)
    }

    func check(_ look: Look) {
        var requests = RequestRecord()
        requests.production = servers.count { $0 == "P" }
        requests.sandbox = servers.count { $0 == "S" }
        requests.retries = servers.count - Set(servers).count
        requests.statuses = given.compactMap(\.status)
        requests.httpStatuses = given.compactMap(\.httpStatus)
        #expect(look.requests == requests)
        let attempts = look.attempts
        #expect(attempts.count == given.count)
        #expect(attempts.server?.initial == servers.last)
        #expect(attempts.lastStatus == requests.statuses.last)
        #expect(attempts.lastHTTPStatus == given.last?.httpStatus)
        let evidence = given.last { $0.httpStatus == 200 }
        #expect(look.body?.bytes == evidence.map { Array($0.body.utf8) })
        #expect(attempts.answeredAt == evidence.map { _ in .asOf })
        if case .refused(let refusal) = look { #expect(refusal.server.initial == servers.last) }
        guard let last = given.last, look.words != "verified" else {
            #expect(attempts.detail == nil)
            return
        }
        // After a loop the detail says where the next request would have gone.
        guard look.words != "unverified environment_loop" else { return }
        let server = servers.last == "P" ? "production" : "sandbox"
        #expect(attempts.detail?.hasSuffix(" (\(server), attempt \(given.count))") == true)
        #expect(last.httpStatus == nil || attempts.detail?.hasPrefix(last.reply.detail) == true)
    }

    /// The log has a line for each request.
    func check(_ lines: [RequestLine]) {
        #expect(lines.allSatisfy { $0.receipt == "r1" && $0.duration > .zero })
        #expect(lines.map(\.server.initial) == servers)
        #expect(lines.map(\.attempt) == Array(1...given.count))
        #expect(lines.map(\.httpStatus) == given.map(\.httpStatus))
        #expect(lines.map(\.status) == given.map(\.status))
        #expect(lines.map(\.bytes) == given.map(\.body.utf8.count))
        let failures = lines.map { $0.failure?.hasPrefix("curl ") == true }
        #expect(failures == given.map { $0.httpStatus == nil })
    }
}

/// One reply of the simulated Apple, and what the validator should see of it.
private struct ServerReply: Sendable {
    let acts: [LoopbackServer.Act]
    /// Nil when no complete answer comes.
    var httpStatus: Int?
    var body = ""

    /// - Parameter words: a status, with `+` for a receipt in the answer, `!` for `is_retryable`
    ///   false and `?` for true; or another status of HTTP; or a kind of failure; or the body.
    init(_ words: String) {
        let head = "HTTP/1.1 200 OK\r\nContent-Length:"
        switch words {
        case "hang up": acts = [.hangUp]
        case "reset": acts = [.reset]
        case "silence": acts = [.stall]
        case "half a head": acts = [.send("HTTP/1.1 200 OK\r\nConte"), .stall]
        case "half a body": acts = [.send("\(head) 99\r\n\r\n{"), .hangUp]
        case "over 16 MiB": acts = [.send("\(head) 16777217\r\n\r\n")]
        default:
            httpStatus = words.hasPrefix("HTTP") ? Int(words.suffix(3)) : 200
            if httpStatus == 200 {
                body = Self.body(words)
            } else if httpStatus != 204 {
                body = "?"
            }
            // A redirect is not followed.
            acts = [.reply(status: "\(httpStatus ?? 0) So", headers: ["Location: /else"], body)]
        }
    }

    private static func body(_ words: String) -> String {
        let digits = words.last.map("+!?".contains) == true ? String(words.dropLast()) : words
        guard let status = digits == "min" ? .min : digits == "max" ? .max : Int(digits) else {
            return words
        }
        let end = ["!": #","is_retryable":false}"#, "?": #","is_retryable":true}"#]
        return words.hasSuffix("+")
            ? AppleAnswer.verified().replacing(#""status":0"#, with: #""status":\#(status)"#)
            : AppleAnswer.status(status).dropLast() + (words.last.flatMap { end["\($0)"] } ?? "}")
    }

    var isSilent: Bool { httpStatus == nil && acts.last.map { "\($0)" } == "stall" }

    var reply: ValidationReply {
        guard let httpStatus else { return .unreachable }
        guard httpStatus == 200 else { return .httpStatus(httpStatus) }
        do throws(VerifyReceiptAnswer.Unreadable) {
            return .answer(try VerifyReceiptAnswer.read(Array(body.utf8), from: .production))
        } catch {
            return ValidationReply(error)
        }
    }

    /// The status in Apple's answer.
    var status: Int? {
        guard case .answer(let answer) = reply else { return nil }
        return answer.status.rawValue
    }
}

extension StoreEnvironment {
    fileprivate var initial: String { String(rawValue.prefix(1)) }
}
