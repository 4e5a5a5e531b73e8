import Testing

@testable import AppStoreSimulator
@testable import Reconcile
@testable import TestSupport

/// A permanent fault on Apple's side, and the validator's outcome for a genuine receipt. Two
/// attempts a server.
struct FaultCase: Sendable, CustomTestStringConvertible {
    /// The fault's name for `simulate --faults`.
    let fault: String
    /// The requested servers in order: `P` and `S`.
    let asked: String
    let outcome: String

    var testDescription: String { fault }

    /// The request is retried in vain: the fault counts as transient.
    var isRetried: Bool { asked == "PP" }

    /// Only a timeout ends the attempt.
    var isSilent: Bool { outcome == "unverified timeout" }

    /// `429-long` and `503-long` ask for a longer delay than the receipt's deadline. A sandbox
    /// environment in the answer of the sandbox is normal (`loop-production`). libcurl takes a
    /// truncated header and half an answer for complete (`cut-head`, `two-lengths`, `cut-gzip`).
    static let all = textTable(
        """
        chunked early-hints gzip long-string slow trickle | P | verified
        21001 21005 21009 21104 21199 99999 status-text | PP | unverified apple_unavailable
        loop-sandbox | PP | unverified apple_unavailable
        21002 | PP | unverified malformed_according_to_apple
        no-receipt 21006 | PP | unverified incomplete_answer
        21003 | P | refused not_authentic
        21010 | P | refused account_gone
        21000 | P | unverified request_refused
        21004 | P | unverified shared_secret_rejected
        21199-final | P | unverified apple_unavailable
        loop | PSP | unverified environment_loop
        loop-production | PSS | unverified apple_unavailable
        500 502 503 503-after 503-date 503-ms | PP | unverified http_status
        429 429-bare 429-date 429-old-date 429-ms | PP | unverified http_status
        429-fraction 429-negative 429-past 429-twice 429-words | PP | unverified http_status
        204 301 302 307 403 | PP | unverified http_status
        429-long 503-long | P | unverified http_status
        html empty array string null no-status | PP | unverified malformed_answer
        duplicate-keys bad-utf8 nul nul-within utf16 | PP | unverified malformed_answer
        half-json two-answers deep cut-head | PP | unverified malformed_answer
        two-lengths cut-gzip | PP | unverified malformed_answer
        cut hang-up reset reset-midway noise | PP | unverified connection_failed
        torn-chunk bad-chunk negative-length bad-gzip | PP | unverified connection_failed
        bad-encoding | PP | unverified connection_failed
        hang hang-head hang-body endless-head slow-loris | PP | unverified timeout
        bomb huge huge-length long-header many-headers | PP | unverified answer_too_large
        """
    ).flatMap { row in
        row[0].split(separator: " ").map {
            FaultCase(fault: String($0), asked: row[1], outcome: row[2])
        }
    }
}

/// Runs the validator against the simulated App Store with one fault at a time.
@Suite("A fault on Apple's side", .timeLimit(.minutes(10)))
struct FaultTableTests {
    private static let store = SimulatedStore(
        seed: 1, customers: 1_000, firstNight: Moment(milliseconds: Instant.asOf.milliseconds))

    private static let receipt = (0..<store.customers).lazy.map(store.customer)
        .first { $0.card == Card(story: .yearlySubscriber, flaw: .none) }
        .map { store.receipts(of: $0.number..<$0.number + 1)[0] }

    @Test("A permanent fault leads to its outcome, and accuses no user", arguments: FaultCase.all)
    func lasts(expected: FaultCase) async throws {
        let (look, asked) = try await ask(
            through: expected.fault + ":100%", timeout: expected.isSilent ? 1 : 50)
        #expect(look.words == expected.outcome)
        #expect(asked == expected.asked)
        #expect(look.requests.sent == expected.asked.count)
        #expect(look.attempts.count == expected.asked.count)
        #expect((look.attempts.detail == nil) == (expected.outcome == "verified"))
    }

    @Test(
        "A transient fault leaves no trace in the outcome",
        arguments: FaultCase.all.filter(\.isRetried))
    func passes(fault: FaultCase) async throws {
        let (look, asked) = try await ask(
            through: fault.fault + ":first=1", timeout: fault.isSilent ? 5 : 50)
        #expect(look.words == "verified")
        #expect(asked == "PP" && look.requests.retries == 1)
    }

    @Test("Each fault that the simulator knows is in the table")
    func isComplete() {
        #expect(Set(FaultPlan.faultNames).subtracting(FaultCase.all.map(\.fault)) == [])
    }

    @Test(
        "A status that no integer holds is unreadable, and its digits may be in a string",
        arguments: textPairs(
            #"""
            "21003" | refused not_authentic
            "21010" | refused account_gone
            "0" | unverified incomplete_answer
            9223372036854775808 | unverified malformed_answer
            1e400 | unverified malformed_answer
            "٠" | unverified malformed_answer
            """#))
    func forms(status: String, outcome: String) async throws {
        let apple = try ScriptedApple { _ in [.reply(#"{"status":\#(status)}"#)] }
        let look = try await AppStoreValidator.asking(apple).look(at: TestDatabase.receipt("r"))
        #expect(look.words == outcome)
    }

    private func ask(
        through faults: String, timeout seconds: Int
    ) async throws -> (Look, asked: String) {
        var settings = AppStoreSimulator.Settings()
        settings.faults = try FaultPlan(parsing: faults)
        settings.keepsRequests = true
        let simulator = try AppStoreSimulator.start(Self.store, settings)
        defer { simulator.stop() }
        let receipt = try #require(Self.receipt)
        let secrets = SimulatedApp.all.map { "\($0.bundle) = \($0.secret)" }
        let validator = try AppStoreValidator.quick(
            production: simulator.productionURL, sandbox: simulator.sandboxURL,
            secrets: secrets.joined(separator: "\n")
        ) { $0.timeout = .seconds(seconds) }
        let look = try await validator.look(at: receipt.data, storedFor: BundleID(receipt.bundle))
        let asked = simulator.keptRequests.map { $0.environment == .production ? "P" : "S" }
        return (look, asked.joined())
    }
}
