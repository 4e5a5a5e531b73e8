import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The App Store validator", .timeLimit(.minutes(10)))
struct AppStoreValidatorTests {
    /// The ids' grammar is tested with the HTTP client. Apple's support asks for the id.
    @Test(
        "Apple's id of a request is in the detail of an unverified receipt, and in the log",
        arguments: textPairs(
            """
            x-apple-request-uuid: 0A1b-2c | 0A1b-2c
            X-Apple-Request-UUID: 0A1b-2c | 0A1b-2c
            x-apple-jingle-correlation-key: KEY7 | KEY7
            x-apple-jingle-correlation-key: KEY7, x-apple-request-uuid: first | first
            x-apple-jingle-correlation-key: KEY7, x-apple-request-uuid: no word | KEY7
             |
            x-apple-request-uuid: |
            x-apple-request-uuid: a b |
            x-apple-request-uuid: 7,8 |
            x-apple-request-uuid: \u{1B}[31m7 |
            x-apple-request-uuid: \(String(repeating: "7", count: 101)) |
            x-request-id: 7 |
            request-uuid: 7 |
            """))
    func requestID(headers: String, name: String) async throws {
        let lines = Shared<[RequestLine]>([])
        let apple = try ScriptedApple { ask in
            let second = ask.attempt == 2 ? headers.components(separatedBy: ", ") : []
            return [.reply(status: "503 No", headers: second.filter { !$0.isEmpty }, "")]
        }
        let validator = try AppStoreValidator.asking(
            apple, log: { line in lines.update { $0.append(line) } })
        let report = try await validator.report(on: TestDatabase.receipt("r"))
        #expect(report.validation == .unverified(.httpStatus))
        let id = name.isEmpty ? "" : ", request \(name)"
        #expect(report.attempts.detail == "HTTP 503 (production, attempt 2\(id))")
        #expect(lines.current.map(\.requestID) == [nil, name.isEmpty ? nil : name])
    }

    @Test("No result contains the secret or the receipt data")
    func redacts() async throws {
        let apple = try ScriptedApple { _ in [.reply("canary")] }
        let validator = try AppStoreValidator.asking(apple, secrets: "* = canary")
        let text = TestDatabase.receipt("r")
        let question = try validator.question(text)
        let report = try await validator.report(on: text)
        var dumped = ""
        dump(report, to: &dumped)
        dump(question, to: &dumped)
        dump(validator, to: &dumped)
        let data = ReceiptData(text)
        dump(data, to: &dumped)
        for words in [
            dumped, "\(report)", "\(question)", String(reflecting: question), "\(data)",
            String(reflecting: data), "\(LocalReceipt(data))",
        ] {
            #expect(
                ["canary", text.suffix(20), text.prefix(20)].allSatisfy { !words.contains($0) })
        }
        #expect(apple.asks.first?.password == "canary")
        #expect(report.attempts.detail?.contains("attempt 2") == true)
    }

    /// The failures before a valid answer, how long each takes in seconds, the timeout of an
    /// attempt; the outcome within a minute, and the attempts. The machine may have been asleep.
    @Test(
        "An attempt counts towards --receipt-deadline with its time, and at most its timeout",
        arguments: textTable(
            """
            1 | 7200 | 50 | verified | 2
            9 | 7200 | 25 | unverified http_status | 3
            9 | 13   | 50 | unverified http_status | 5
            """))
    func deadline(row: [String]) async throws {
        let clock = ManualClock()
        let numbers = row.compactMap { Int($0) }
        let apple = try ScriptedApple { ask in
            guard ask.attempt <= numbers[0] else { return [.reply(AppleAnswer.verified())] }
            clock.advance(by: .seconds(numbers[1]))
            return [.reply(status: "503 No", "")]
        }
        let validator = try AppStoreValidator.asking(apple, clock: clock) {
            $0.maxAttempts = 9
            $0.receiptDeadline = .seconds(60)
            $0.timeout = .seconds(numbers[2])
        }
        let look = try await clock.passing {
            try await validator.look(at: TestDatabase.receipt("r"))
        }
        #expect(look.words == row[3])
        #expect(apple.asks.count == numbers[3])
    }

    @Test(
        "The wait before a retry is at least Retry-After, and ends before --receipt-deadline",
        arguments: [(59_000, "verified"), (61_000, "unverified http_status")])
    func retryAfter(wait: Int64, outcome: String) async throws {
        let clock = ManualClock()
        let apple = try ScriptedApple { ask in
            guard ask.attempt == 1 else { return [.reply(AppleAnswer.verified())] }
            let date = Instant.asOf.milliseconds + wait
            return [.reply(status: "429 No", headers: ["Retry-After: \(date)"], "")]
        }
        let validator = try AppStoreValidator.asking(apple, clock: clock) {
            $0.receiptDeadline = .seconds(60)
        }
        let look = try await clock.passing {
            try await validator.look(at: TestDatabase.receipt("r"))
        }
        #expect(look.words == outcome)
        #expect((clock.now.sinceStart >= .milliseconds(wait)) == (outcome == "verified"))
    }

    @Test("A refused certificate ends the run, and the message has no part of the URL's query")
    func certificate() async throws {
        let server = try TLSLoopbackServer(try TLSCertificate())
        let url = "https://localhost:\(server.port)/?q=canary"
        let validator = try AppStoreValidator.quick(production: url, sandbox: url)
        let error = await #expect(throws: ValidationFailure.self) {
            _ = try await validator.look(at: TestDatabase.receipt("r"))
        }
        #expect(error?.description.hasPrefix("The server's certificate is not trusted") == true)
        #expect(error?.description.hasSuffix("between this machine and the server.") == true)
        #expect(error?.description.contains("canary") == false)
    }

    @Test("Cancellation stops the validator, even during an answer")
    func cancellation() async throws {
        let apple = try ScriptedApple { _ in [.stall] }
        let validator = try AppStoreValidator.asking(apple)
        let asking = Task { try await validator.look(at: TestDatabase.receipt("r")) }
        await apple.production.arrival(of: 1)
        asking.cancel()
        await #expect(throws: CancellationError.self) { _ = try await asking.value }
        await apple.production.departure(of: 1)
    }
}

/// What is made of Apple's answer to a receipt of acme.other that Apple signed. Kept evidence must
/// be enough to judge again without a request.
@Suite("A refusal by Apple, and a kept answer", .timeLimit(.minutes(10)))
struct RefusalTests {
    private struct Scene {
        let validator: AppStoreValidator
        let request: ReceiptRequest
        let look: Look

        init(_ body: String, headers: [String] = []) async throws {
            let apple = try ScriptedApple { _ in [.reply(headers: headers, body)] }
            validator = try AppStoreValidator.asking(apple, roots: InspectionQuestion.testing.roots)
            let payload = PayloadForge(bundle: "acme.other", purchases: [PayloadForge.purchase()])
            let bytes = ReceiptAuthority.shared.receipt(payload.encoded)
            request = try validator.question(String(decoding: Base64.encode(bytes), as: UTF8.self))
            look = try await validator.look(at: request, of: "r1")
        }

        func report() throws -> ValidationReport {
            guard case .concluded(let report) = look else { throw CancellationError() }
            return report
        }

        func refusal() throws -> Refusal {
            guard case .refused(let refusal) = look else { throw CancellationError() }
            return refusal
        }

        /// What is kept of a report, which must give the same report again.
        func kept(_ report: ValidationReport) throws -> KeptAnswer {
            let kept = try #require(report.kept(for: request, of: "r1"))
            #expect(kept.receipt == "r1")
            #expect(kept.request == request.digest)
            #expect(kept.bodyDigest == report.body.map { Digest.sha256($0.bytes).bytes })
            let again = validator.report(kept, about: request)
            #expect(again.validation == report.validation)
            #expect(again.attempts == report.attempts)
            #expect(again.requests == report.requests)
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
        for id in ["", ", request 7a-B9"] {
            let scene = try await Scene(
                body, headers: id.isEmpty ? [] : ["X-Apple-Request-UUID: 7a-B9"])
            let refusal = try scene.refusal()
            let confirmed = refusal.confirmed
            #expect(confirmed.validation == .rejected(rejection))
            #expect(confirmed.attempts.detail == nil)
            #expect(confirmed.attempts.count == 1)
            #expect(confirmed.attempts.lastStatus == status)
            var reports = [confirmed]
            for cause in [Unverified.refusalUnconfirmed, .refusalContradictsSignature] {
                let doubted = refusal.doubted(cause)
                #expect(doubted.validation == .unverified(cause))
                // With Apple's request id, for Apple's support.
                let detail = "status \(status) (production, attempt 1\(id))"
                #expect(doubted.attempts.detail == detail)
                reports.append(doubted)
            }
            for report in reports {
                #expect(report.requests == refusal.requests)
                #expect(report.body?.bytes == Array(body.utf8))
                _ = try scene.kept(report)
            }
        }
    }

    @Test(
        "A kept answer gives the same report again, with the same contradictions",
        arguments: [
            (AppleAnswer.verified(), [.bundle(signed: "acme.other")]),
            (AppleAnswer.status(21005), []), ("<html>", []), (AppleAnswer.status(0), []),
        ] as [(String, [Contradiction])])
    func again(body: String, contradictions: [Contradiction]) async throws {
        let scene = try await Scene(body)
        let report = try scene.report()
        #expect(report.contradictions == contradictions)
        #expect(report.body?.bytes == Array(body.utf8))
        _ = try scene.kept(report)
    }

    @Test("A kept answer proves nothing if its body is missing or has no receipt")
    func damaged() async throws {
        let scene = try await Scene(AppleAnswer.verified())
        var kept = try scene.kept(scene.report())
        for body in [nil, "{", AppleAnswer.status(0)] {
            kept.body = body.map { AnswerBody(bytes: Array($0.utf8), server: .production) }
            let again = scene.validator.report(kept, about: scene.request)
            #expect(again.validation == .unverified(.incompleteAnswer))
            #expect(again.contradictions.isEmpty)
        }
        // A receipt that was not sent has no kept answer.
        #expect(ValidationReport(.unusable(.xcode)).kept(for: scene.request, of: "r1") == nil)
    }
}
