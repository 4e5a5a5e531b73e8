import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A receipt for which no request may be sent", .timeLimit(.minutes(10)))
struct UnaskedTests {
    private func lookAfter(
        _ count: Int, _ acts: [LoopbackServer.Act], secrets: String = "* = canary"
    ) async throws -> (look: Look, requests: Int) {
        let apple = try ScriptedApple { _ in acts }
        let validator = try AppStoreValidator.asking(apple, secrets: secrets) {
            $0.maxAttempts = 1
            $0.outagePatience = .zero
        }
        for number in 0..<count {
            let look = try await validator.look(at: TestDatabase.receipt("r\(number)"))
            #expect(look.requests.sent == 1)
        }
        let look = try await validator.look(at: TestDatabase.receipt("last"))
        return (look, apple.asks.count)
    }

    @Test("The receipt is unverified (deadline) when the deadline has passed")
    func deadline() async throws {
        let apple = try ScriptedApple(status: 0)
        let validator = try AppStoreValidator.asking(apple)
        let request = try validator.question(TestDatabase.receipt("r"))
        let look = try await validator.look(
            at: request, of: "r", before: ContinuousClock.now.advanced(by: .seconds(-1)))
        #expect(look.words == "unverified deadline")
        #expect(look.attempts.detail == "not asked again before --max-runtime was over")
        #expect(look.attempts.count == 0 && look.requests == RequestRecord())
        #expect(apple.asks.isEmpty)
    }

    @Test("The receipt is unverified (outage) after an outage that gaveUp --outage-patience")
    func outage() async throws {
        let (look, requests) = try await lookAfter(50, [.reply(status: "503 No", "")])
        #expect(look.words == "unverified outage")
        #expect(
            look.attempts.detail
                == "not asked: Apple was down for longer than --outage-patience")
        #expect(look.requests == RequestRecord())
        #expect(requests == 50)
    }

    @Test(
        "The receipt is unverified for its app's shared secret when the first answers were 21004",
        arguments: [("* = canary", "shared_secret_rejected"), ("", "shared_secret_missing")])
    func secret(secrets: String, cause: String) async throws {
        let (look, requests) = try await lookAfter(
            20, [.reply(AppleAnswer.status(21004))], secrets: secrets)
        #expect(look.words == "unverified \(cause)")
        #expect(
            look.attempts.detail == "not asked: most answers about its app were 21004")
        #expect(look.requests == RequestRecord())
        #expect(requests == 20)
    }
}
