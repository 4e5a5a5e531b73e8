import Testing

@testable import Reconcile
@testable import TestSupport

/// A reply of the simulated Apple, and what should be seen of it.
struct ServerReply: Sendable {
    let name: String
    let acts: [LoopbackServer.Act]
    /// Nil when no complete answer comes.
    var httpStatus: Int?
    var body = ""

    static func body(_ text: String) -> ServerReply {
        ServerReply(name: text, acts: [.reply(text)], httpStatus: 200, body: text)
    }

    static func status(_ status: Int) -> ServerReply { .body(AppleAnswer.status(status)) }

    static func status(_ status: Int, isRetryable: Bool) -> ServerReply {
        .body(#"{"status":\#(status),"is_retryable":\#(isRetryable)}"#)
    }

    /// An answer with a receipt.
    static func receipt(status: Int) -> ServerReply { .receipt(status: "\(status)") }

    /// - Parameter status: JSON.
    static func receipt(status: String) -> ServerReply {
        let start = #"{"status":0,"#
        precondition(AppleAnswer.verified().hasPrefix(start))
        return .body(#"{"status":\#(status),"# + AppleAnswer.verified().dropFirst(start.count))
    }

    /// Another status of HTTP than 200.
    static func http(_ status: Int) -> ServerReply {
        ServerReply(
            name: "HTTP \(status)", acts: [.reply(status: "\(status) So", "?")],
            httpStatus: status, body: "?")
    }

    static let reset = ServerReply(name: "reset", acts: [.reset])
    static let tooLarge = ServerReply(
        name: "over 16 MiB",
        acts: [.send("HTTP/1.1 200 OK\r\nContent-Length: 16777217\r\n\r\n")])

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

/// The replies to one look in order, with the servers that give them.
struct AnswerScript {
    let given: [ServerReply]
    let servers: [AppleServer]
    let hasSecret: Bool
    let maxAttempts: Int

    init(_ example: AppleAnswersTests.Case, hasSecret: Bool) {
        servers = example.asked
        given = servers.indices.map { example.replies[min($0, example.replies.count - 1)] }
        self.hasSecret = hasSecret
        maxAttempts = example.maxAttempts
    }

    var rows: [AppleStatus] {
        zip(given, servers).map { .of($0.reply, from: $1, hasSecret: hasSecret) }
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
        #expect(lines.allSatisfy { $0.receipt == "r1" })
        #expect(lines.allSatisfy { $0.duration > .zero })
        #expect(lines.map(\.server) == servers)
        #expect(lines.map(\.attempt) == Array(1...given.count))
        #expect(lines.map(\.httpStatus) == given.map(\.httpStatus))
        #expect(lines.map(\.status) == given.map(\.status))
        #expect(lines.map(\.bytes) == given.map(\.body.utf8.count))
        let failures = lines.map { $0.failure?.hasPrefix("curl ") == true }
        #expect(failures == given.map { $0.httpStatus == nil })
        let requests = look.requests.all
        #expect(requests.map(\.server) == servers)
        let retries = requests.count { $0.isRetry }
        #expect(retries == servers.count - Set(servers).count)
        #expect(requests.map(\.status) == given.map(\.status))
        #expect(requests.map(\.httpStatus) == given.map(\.httpStatus))
        let attempts = look.attempts
        #expect(attempts.count == given.count)
        #expect(attempts.server == servers.last)
        #expect(attempts.lastStatus == requests.compactMap(\.status).last)
        #expect(attempts.lastHTTPStatus == given.last?.httpStatus)
        let evidence = given.last { $0.httpStatus == 200 }
        #expect(look.body?.bytes == evidence.map { Array($0.body.utf8) })
        #expect(attempts.answeredAt == evidence.map { _ in .asOf })
        if case .refused(let refusal) = look { #expect(refusal.server == servers.last) }
        #expect((attempts.detail == nil) == (look.outcome == .verified))
        guard let detail = attempts.detail, let last = given.last else { return }
        let server = servers.last.map(\.rawValue) ?? ""
        #expect(detail.hasSuffix(" (\(server), attempt \(given.count))"))
        #expect(last.httpStatus == nil || detail.hasPrefix(last.reply.detail))
    }
}
