import Testing

@testable import Reconcile
@testable import TestSupport

/// What counts towards `--receipt-deadline` (one minute), by a clock that a test moves.
@Suite("The deadline of one receipt", .timeLimit(.minutes(10)))
struct AppStoreValidatorTimeTests {
    /// Looks at a receipt while each of the first attempts takes `duration` and ends with 503; the
    /// next one is verified.
    private func look(
        failing attempts: Int, taking duration: Duration, timeout: Duration
    ) async throws -> (look: Look, asked: Int) {
        let clock = ManualClock()
        let apple = try ScriptedApple { ask in
            guard ask.attempt <= attempts else { return [.reply(AppleAnswer.verified())] }
            clock.advance(by: duration)
            return [.reply(status: "503 No", "")]
        }
        let validator = try AppStoreValidator.asking(apple, clock: clock) {
            $0.maxAttempts = 9
            $0.receiptDeadline = .seconds(60)
            $0.timeout = timeout
        }
        let look = try await clock.passing {
            try await validator.look(at: TestDatabase.receipt("r"))
        }
        return (look, apple.asks.count)
    }

    @Test("An attempt counts as at most its timeout, even if the process was stopped for hours")
    func stopped() async throws {
        let (look, asked) = try await look(
            failing: 1, taking: .seconds(7_200), timeout: .seconds(50))
        #expect(look.words == "verified")
        #expect(asked == 2)
    }

    @Test("An attempt that took longer than its timeout counts as the whole timeout")
    func spent() async throws {
        let (look, asked) = try await look(
            failing: 9, taking: .seconds(7_200), timeout: .seconds(25))
        #expect(look.words == "unverified http_status")
        #expect(asked == 3)
    }

    @Test("An attempt that was shorter than its timeout counts as the time it took")
    func shorter() async throws {
        let (look, asked) = try await look(
            failing: 9, taking: .seconds(13), timeout: .seconds(50))
        #expect(look.words == "unverified http_status")
        #expect(asked == 5)
    }
}
