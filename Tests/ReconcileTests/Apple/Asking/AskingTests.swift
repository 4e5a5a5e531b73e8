import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Asking Apple", .timeLimit(.minutes(10)))
struct AskingTests {
    private let receipt = TestDatabase.receipt("r")

    /// The HTTP client's tests show which ids are taken. Apple's support asks for the id.
    @Test("Apple's id of a request is in the detail of an unverified receipt, and in the log")
    func requestID() async throws {
        let key = "x-apple-jingle-correlation-key: KEY7"
        for (headers, name) in [
            ([key], "KEY7"), ([key, "x-apple-request-uuid: 0A1b-2c"], "0A1b-2c"),
            (["x-request-id: 7", "request-uuid: 7"], nil),
        ] as [([String], String?)] {
            let lines = Shared<[RequestLine]>([])
            let apple = try ScriptedApple { ask in
                [.reply(status: "503 No", headers: ask.attempt == 2 ? headers : [], "")]
            }
            let asking = try Asking.testing(apple, log: lines)
            let detail = try await asking.report(on: receipt).attempts.detail
            let id = name.map { ", request \($0)" } ?? ""
            #expect(detail == "HTTP 503 (production, attempt 2\(id))")
            #expect(lines.current.map(\.requestID) == [nil, name])
        }
    }

    @Test("No result contains the secret or the receipt data")
    func redacts() async throws {
        let apple = try ScriptedApple { _ in [.reply("canary")] }
        let asking = try Asking.testing(apple, secrets: "* = canary")
        let question = try asking.question(receipt)
        let report = try await asking.report(on: receipt)
        let data = ReceiptData(receipt)
        var words = "\(report) \(question) \(String(reflecting: question)) \(data)"
        words += "\(String(reflecting: data)) \(LocalReceipt(data))"
        for value: Any in [report, question, asking, data] { dump(value, to: &words) }
        for text in ["canary", String(receipt.suffix(20)), String(receipt.prefix(20))] {
            #expect(!words.contains(text))
        }
        #expect(apple.asks.first?.password == "canary")
        #expect(report.attempts.detail?.contains("attempt 2") == true)
    }

    /// How often Apple fails, the seconds of a failure (the machine may sleep), its Retry-After in
    /// milliseconds, the timeout of an attempt; the outcome within a minute, and the attempts.
    @Test(
        "The time of attempts, at most their timeouts, and Retry-After fit --receipt-deadline",
        arguments: """
            1 | 7200 | 0     | 50 | verified | 2
            9 | 7200 | 0     | 25 | unverified http_status | 3
            9 | 13   | 0     | 50 | unverified http_status | 5
            1 | 0    | 59000 | 50 | verified | 2
            1 | 0    | 61000 | 50 | unverified http_status | 1
            """.rows)
    func deadline(row: [String]) async throws {
        let clock = ManualClock()
        let numbers = row.compactMap { Int($0) }
        let end = Instant.asOf + .milliseconds(numbers[2])
        let headers = numbers[2] > 0 ? ["Retry-After: \(end.milliseconds)"] : []
        let apple = try ScriptedApple { ask in
            guard ask.attempt <= numbers[0] else { return [.reply(AppleAnswer.verified())] }
            clock.advance(by: .seconds(numbers[1]))
            return [.reply(status: "429 No", headers: headers, "")]
        }
        let asking = try Asking.testing(apple, clock: clock) {
            $0.maxAttempts = 9
            $0.receiptDeadline = .seconds(60)
            $0.timeout = .seconds(numbers[3])
        }
        let look = try await clock.passing { [receipt] in try await asking.look(at: receipt) }
        #expect(look.words == row[4] && apple.asks.count == numbers[4])
        let isPast = clock.now.sinceStart >= .milliseconds(numbers[2])
        #expect(isPast == (numbers[2] == 0 || row[4] == "verified"))
    }

    /// NightTests of the program show that a greater difference than a day ends the run.
    @Test(
        "A difference of more than five minutes from Apple's clock is one warning",
        arguments: [
            ("Fri, 20 Nov 2026 01:54:59", -301), ("Fri, 20 Nov 2026 01:55:00", nil),
            ("Fri, 20 Nov 2026 02:05:00", nil), ("Fri, 20 Nov 2026 02:05:01", 301),
            ("Sat, 21 Nov 2026 02:00:00", 86_400),
        ] as [(String, Int?)])
    func clock(date: String, seconds: Int?) throws {
        let changes = Shared<[PaceChange]>([])
        let watch = ClockWatch(.run) { change in changes.update { $0.append(change) } }
        for _ in 1...2 { try watch.compare(date + " GMT", now: .asOf) }
        let servers = seconds.map { [Instant.asOf + .seconds($0)] } ?? []
        #expect(changes.current == servers.map { .clockDiffers(server: $0, ours: .asOf) })
    }

    @Test("Cancellation stops the asking, even during an answer")
    func cancellation() async throws {
        let apple = try ScriptedApple { _ in [.stall] }
        let asking = try Asking.testing(apple)
        let task = Task { [receipt] in try await asking.look(at: receipt) }
        await apple.production.arrival(of: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        await apple.production.departure(of: 1)
    }

    /// A look at a signed receipt of acme.other. Kept evidence must be enough to judge it again.
    private struct Scene {
        let asking: Asking
        let question: Question
        let look: QuestionResult

        init(_ body: String) async throws {
            let header = "X-Apple-Request-UUID: 7a-B9"
            let apple = try ScriptedApple { _ in [.reply(headers: [header], body)] }
            asking = try Asking.testing(apple, roots: .testing)
            let payload = PayloadForge(bundle: "acme.other", purchases: [PayloadForge.purchase()])
            question = try asking.question(base64(payload.signed()))
            look = try await asking.look(at: question, of: "r1")
        }

        /// What a replay makes of a kept answer.
        func report(on kept: KeptAnswer) async throws -> ValidationReport {
            let live = try #require(asking.live)
            let source = KeptAnswers(of: live, provenBy: AppleSignature(.testing)) {
                keys, _ in
                keys == [kept.request] ? [kept] : []
            }
            let row = StoredReceipt(
                id: "r1", user: "ann", bundle: "acme",
                data: ReceiptData(text: question.receipt.base64), storedAt: .asOf)
            var inquiry = try await source.inquiry(about: [row], of: "ann")
            try await source.recall(&inquiry, of: "ann")
            return inquiry.concluded { refusal, _ in refusal.confirmed }.perReceipt[0]
        }

        @discardableResult
        func kept(_ report: ValidationReport, of body: String) async throws -> KeptAnswer {
            let kept = try #require(asking.live?.kept(report, to: question, of: "r1"))
            #expect(report.body?.bytes == Array(body.utf8))
            #expect(kept.receipt == "r1" && kept.request == question.digest)
            #expect(kept.bodyDigest == report.body.map { Digest.sha256($0.bytes).bytes })
            let again = try await self.report(on: kept)
            #expect(again.validation == report.validation && again.attempts == report.attempts)
            #expect(again.requests == RequestRecord())
            #expect(again.body == report.body)
            #expect(again.contradictions == report.contradictions)
            #expect(again.signedKinds == report.signedKinds)
            return kept
        }
    }

    @Test(
        "A refusal is a rejection once confirmed, and unverified while doubted, with its evidence",
        arguments: [(21003, .notAuthentic), (21010, .accountGone)] as [(Int, Rejection)])
    func refusal(status: Int, rejection: Rejection) async throws {
        let body = AppleAnswer.status(status)
        let scene = try await Scene(body)
        guard case .refused(let refusal) = scene.look else { throw CancellationError() }
        let doubts = [Unverified.refusalUnconfirmed, .refusalContradictsSignature]
        let reports = [refusal.confirmed] + doubts.map(refusal.doubted)
        let validations = [.rejected(rejection)] + doubts.map { Validation.unverified($0) }
        #expect(reports.map(\.validation) == validations)
        let detail = "status \(status) (production, attempt 1, request 7a-B9)"
        #expect(reports.map(\.attempts.detail) == [nil, detail, detail])
        for report in reports {
            #expect(report.attempts.count == 1 && report.attempts.lastStatus == status)
            #expect(report.requests == refusal.requests)
            try await scene.kept(report, of: body)
        }
    }

    @Test("A kept answer gives the same report again; one without its receipt proves nothing")
    func again() async throws {
        let valid = AppleAnswer.verified()
        for body in [AppleAnswer.status(21005), "<html>", AppleAnswer.status(0), valid] {
            let scene = try await Scene(body)
            guard case .concluded(let report) = scene.look else { throw CancellationError() }
            let isValid = body == valid
            #expect(report.contradictions == (isValid ? [.bundle(signed: "acme.other")] : []))
            var kept = try await scene.kept(report, of: body)
            for body in [nil, "{", AppleAnswer.status(0)] where isValid {
                kept.body = body.map { AnswerBody(bytes: Array($0.utf8), server: .production) }
                let again = try await scene.report(on: kept)
                #expect(again.validation == .unverified(.incompleteAnswer))
                #expect(again.contradictions.isEmpty)
            }
            // A receipt that was not sent has no kept answer.
            #expect(
                scene.asking.live?.kept(
                    ValidationReport(.unusable(.xcode)), to: scene.question, of: "r1") == nil)
        }
    }
}

@Suite("Shared secrets, a bucket's burst, and a server's announcement of its end")
struct ValidationSettingsTests {
    @Test(
        "The burst leaves room for late requests, more for shared buckets, and is never 0",
        arguments: [
            (10, 10, 9, 9), (20, 100, 19, 14), (1_000, 1_000, 990, 940), (50, 1_000, 40, 1),
            (2, 0.5, 1, 1), (1, 0.1, 1, 1), (1_000, 1e12, 1, 1),
        ] as [(Int, Double, Int, Int)])
    func reserve(burst: Int, rate: Double, local: Int, shared: Int) {
        var settings = ValidationSettings()
        settings.burst = burst
        let bursts = [settings.localBurst(rate: rate), settings.sharedBurst(rate: rate)]
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
        for text in texts { #expect(text.contains("‹redacted›") && !text.contains("hunter2")) }
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
    func refused(text: String, reason: SharedSecretsError.Reason, line: Int) throws {
        let error = #expect(throws: SharedSecretsError.self) { try SharedSecrets(parsing: text) }
        #expect(error?.reason == reason && error?.line == line)
        let words = error?.description ?? ""
        #expect(words.contains("Line \(line)") && !words.contains("nter"))
    }

    /// The header lines Deprecation and Sunset, of which `-` is missing.
    @Test(
        "The announcement is read with its dates, or else quoted in at most 100 characters",
        arguments: """
            @1688169599                   | - | is deprecated as of 2023-06-30T23:59:59Z.
            true                          | - | verifyReceipt is deprecated (true).
            Sun, 11 Nov 2018 23:59:59 GMT | - | is deprecated as of 2018-11-11T23:59:59Z.
            true | Sun, 11 Nov 2029 23:59:59 GMT | (true) and ends on 2029-11-11T23:59:59Z.
            -                             | soon | verifyReceipt ends (soon).
            @99999999999999999999         | - | is deprecated (@99999999999999999999).
            -                             | \u{1B}[2J\u{202E} | verifyReceipt ends (?[2J?).
            \(String(repeating: "x", count: 9_999)) | - | (\(String(repeating: "x", count: 100)))
            """.triples)
    func announcement(deprecation: String, sunset: String, sentence: String) throws {
        let response = HTTPResponse(
            status: 200, body: [], retryAfter: [], date: nil,
            deprecation: deprecation == "-" ? nil : deprecation,
            sunset: sunset == "-" ? nil : sunset, requestID: nil)
        let notice = try #require(
            RetirementNotice(of: VerifyReceipt.api, response, now: Instant(milliseconds: 0)))
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
            let notice = RetirementNotice(of: VerifyReceipt.api, answer, now: .asOf)
            #expect((notice == nil) == (deprecation == nil))
        }
    }
}
