import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The App Store validator", .timeLimit(.minutes(10)))
struct AppStoreValidatorTests {
    @Test(
        "Apple's answers decide the outcome, and the requests are counted",
        arguments: ValidatorCase.all)
    func ends(expected: ValidatorCase) async throws {
        let apple = try ScriptedApple { ask in
            let acts =
                ask.environment == .production ? expected.production : expected.sandbox
            return acts.indices.contains(ask.attempt - 1) ? acts[ask.attempt - 1] : [.hangUp]
        }
        let validator = try AppStoreValidator.asking(
            apple, secrets: expected.hasSecret ? "acme = canary" : ""
        ) {
            // A machine that is busy with other tests must not look like a timeout.
            if expected.outcome == "unverified timeout" { $0.timeout = .milliseconds(200) }
            $0.receiptDeadline = .seconds(200)
        }
        let look = try await validator.look(at: TestDatabase.receipt("r"))
        #expect(look.words == expected.outcome)
        #expect(look.requests == expected.requests)
        #expect(apple.asks.map(\.environment.initial).joined() == expected.asked)
        #expect(look.attempts.count == expected.asked.count)
        #expect(look.attempts.server?.initial == expected.asked.last.map(String.init))
        #expect(look.attempts.lastStatus == expected.lastStatus)
        #expect(look.attempts.lastHTTPStatus == expected.lastHTTPStatus)
        #expect(look.body?.bytes == expected.evidence.map { Array($0.utf8) })
        #expect(look.attempts.answeredAt == expected.evidence.map { _ in .asOf })
        if case .refused(let refusal) = look {
            #expect(refusal.server.initial == expected.asked.last.map(String.init))
        }
        #expect((look.attempts.detail == nil) == (expected.outcome == "verified"))
        #expect(look.attempts.detail?.hasPrefix(expected.detail) != false)
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
        for words in [dumped, "\(report)", "\(question)", String(reflecting: question)] {
            #expect(!words.contains("canary"))
            #expect(!words.contains(text.suffix(20)))
        }
        #expect(apple.asks.first?.password == "canary")
        #expect(report.attempts.detail?.contains("attempt 2") == true)
    }

    @Test("The wait before a retry is at least Retry-After")
    func retryAfter() async throws {
        let clock = ContinuousClock()
        let arrivals = Shared<[ContinuousClock.Instant]>([])
        let asOf = Instant.asOf.milliseconds
        let apple = try ScriptedApple { ask in
            arrivals.update { $0.append(clock.now) }
            guard ask.attempt == 1 else { return [.reply(AppleAnswer.verified())] }
            return [.reply(status: "429 No", headers: ["Retry-After: \(asOf + 120)"], "")]
        }
        let validator = try AppStoreValidator.asking(apple)
        let report = try await validator.report(on: TestDatabase.receipt("r"))
        #expect(report.validation.words == "verified")
        let times = arrivals.current
        try #require(times.count == 2)
        #expect(times[0].duration(to: times[1]) >= .milliseconds(120))
    }

    @Test("A Retry-After beyond the receipt's deadline is not waited for")
    func retryAfterTooLate() async throws {
        let apple = try ScriptedApple { _ in
            [.reply(status: "503 No", headers: ["Retry-After: 3600"], "")]
        }
        let validator = try AppStoreValidator.asking(apple)
        let report = try await validator.report(on: TestDatabase.receipt("r"))
        #expect(report.validation == .unverified(.httpStatus))
        #expect(apple.asks.count == 1)
    }

    @Test("A refused certificate ends the run")
    func certificate() async throws {
        let server = try TLSLoopbackServer(try TLSCertificate())
        var settings = ValidationSettings()
        settings.productionURL = "https://localhost:\(server.port)/?q=canary"
        let validator = try AppStoreValidator(
            settings, secrets: SharedSecrets(parsing: "* = canary"), now: { .asOf })
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

extension StoreEnvironment {
    fileprivate var initial: String { String(rawValue.prefix(1)) }
}
