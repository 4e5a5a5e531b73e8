import Foundation
import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Asking Apple", .hangLimit)
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

    /// To add a case, copy a row. The machine may sleep during a failure; the deadline is a minute.
    struct Patience: Sendable {
        let failures: Int
        let secondsOfFailure: Int
        var retryAfter = Duration.zero
        var status = "429 No"
        /// Seconds.
        let timeout: Int
        let outcome: ReceiptOutcome
        let attempts: Int
    }

    @Test(
        "The time of attempts, at most their timeouts, and Retry-After fit --receipt-deadline",
        arguments: [
            Patience(
                failures: 1, secondsOfFailure: 7_200, timeout: 50, outcome: .verified, attempts: 2),
            Patience(
                failures: 9, secondsOfFailure: 7_200, timeout: 25,
                outcome: .unverified(.httpStatus), attempts: 3),
            Patience(
                failures: 9, secondsOfFailure: 13, timeout: 50,
                outcome: .unverified(.httpStatus), attempts: 5),
            Patience(
                failures: 1, secondsOfFailure: 0, retryAfter: .seconds(59), timeout: 50,
                outcome: .verified, attempts: 2),
            Patience(
                failures: 1, secondsOfFailure: 0, retryAfter: .seconds(7), status: "503 No",
                timeout: 50, outcome: .verified, attempts: 2),
            Patience(
                failures: 1, secondsOfFailure: 0, retryAfter: .seconds(61), timeout: 50,
                outcome: .unverified(.httpStatus), attempts: 1),
        ])
    func deadline(example: Patience) async throws {
        let clock = ManualClock()
        let end = Instant.asOf + example.retryAfter
        let headers = example.retryAfter > .zero ? ["Retry-After: \(end.milliseconds)"] : []
        let apple = try ScriptedApple { ask in
            guard ask.attempt <= example.failures else { return [.reply(AppleAnswer.verified())] }
            clock.advance(by: .seconds(example.secondsOfFailure))
            return [.reply(status: example.status, headers: headers, "")]
        }
        let asking = try Asking.testing(apple, clock: clock) {
            $0.maxAttempts = 9
            $0.receiptDeadline = .seconds(60)
            $0.timeout = .seconds(example.timeout)
        }
        let look = try await clock.passing { [receipt] in try await asking.look(at: receipt) }
        #expect(look.outcome == example.outcome)
        #expect(apple.asks.count == example.attempts)
        let isPast = clock.now.sinceStart >= example.retryAfter
        #expect(isPast == (example.retryAfter == .zero || example.outcome == .verified))
    }

    /// NightTests of the program show that a greater difference than a day ends the run.
    @Test(
        "A difference of more than five minutes from Apple's clock is one warning",
        arguments: [
            ("Fri, 20 Nov 2026 01:54:59", -301), ("Fri, 20 Nov 2026 01:55:00", nil),
            ("Fri, 20 Nov 2026 02:05:00", nil), ("Fri, 20 Nov 2026 02:05:01", 301),
            ("Sat, 21 Nov 2026 02:00:00", 86_400),
        ] as [(date: String, seconds: Int?)])
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
                data: ReceiptData(text: question.receipt?.base64 ?? []), storedAt: .asOf)
            var inquiry = try await source.inquiry(about: [row], of: "ann")
            try await source.recall(&inquiry, of: "ann")
            return inquiry.concluded { refusal, _ in refusal.confirmed }.reports[0]
        }

        @discardableResult
        func kept(_ report: ValidationReport, of body: String) async throws -> KeptAnswer {
            let kept = try #require(asking.live?.kept(report, to: question, of: "r1"))
            #expect(report.body?.bytes == Array(body.utf8))
            #expect(kept.receipt == "r1")
            #expect(kept.request == question.digest)
            #expect(kept.bodyDigest == report.body.map { Digest.sha256($0.bytes).bytes })
            let again = try await self.report(on: kept)
            #expect(again.validation == report.validation)
            #expect(again.attempts == report.attempts)
            #expect(again.requests == RequestRecord())
            #expect(again.body == report.body)
            #expect(again.facts == report.facts)
            return kept
        }
    }

    @Test(
        "A refusal is a rejection once confirmed, and unverified while doubted, with its evidence",
        arguments: [(21003, .notAuthentic), (21010, .accountGone)]
            as [(status: Int, rejection: Rejection)])
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
            #expect(report.attempts.count == 1)
            #expect(report.attempts.lastStatus == status)
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
            #expect(report.facts.contradictions == (isValid ? [.bundle(signed: "acme.other")] : []))
            var kept = try await scene.kept(report, of: body)
            for body in [nil, "{", AppleAnswer.status(0)] where isValid {
                kept.body = body.map { AnswerBody(bytes: Array($0.utf8), server: .production) }
                let again = try await scene.report(on: kept)
                #expect(again.validation == .unverified(.incompleteAnswer))
                #expect(again.facts.contradictions.isEmpty)
            }
            // A receipt that was not sent has no kept answer.
            #expect(
                scene.asking.live?.kept(
                    ValidationReport(.unusable(.xcode)), to: scene.question, of: "r1") == nil)
        }
    }
}
