import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A status of verifyReceipt", .timeLimit(.minutes(10)))
struct StatusTests {
    @Test(
        "21100 to 21199 is retried unless is_retryable, in either spelling, is false",
        arguments: ["is_retryable", "is-retryable"],
        [
            ("true", true), ("1", true), (#""true""#, true), (#""1""#, true), ("null", true),
            ("false", false), ("0", false), (#""false""#, false), (#""0""#, false),
        ])
    func retryable(key: String, value: (text: String, isRetried: Bool)) async throws {
        for status in [21100, 21150, 21199] {
            let (words, asked) = try await outcome(
                of: #"{"status":\#(status),"\#(key)":\#(value.text)}"#)
            #expect(words == "unverified apple_unavailable")
            #expect(asked == (value.isRetried ? 2 : 1), "\(status)")
        }
    }

    @Test("None of the hundred internal errors of Apple accuses a user")
    func internalErrors() async throws {
        for status in 21100...21199 {
            let (words, asked) = try await outcome(of: AppleAnswer.status(status))
            #expect(words == "unverified apple_unavailable" && asked == 2, "\(status)")
        }
    }

    @Test(
        "A status is a whole number, or its digits in a string",
        arguments: [
            (#""21003""#, "refused not_authentic"), (#""21010""#, "refused account_gone"),
            (#""0""#, "unverified incomplete_answer"), ("-1", "unverified apple_unavailable"),
            ("29999", "unverified apple_unavailable"),
            ("9223372036854775808", "unverified malformed_answer"),
            ("1e400", "unverified malformed_answer"), ("0.5", "unverified malformed_answer"),
            ("true", "unverified malformed_answer"), ("null", "unverified malformed_answer"),
            ("[0]", "unverified malformed_answer"), ("{}", "unverified malformed_answer"),
            (#""""#, "unverified malformed_answer"), (#"" 0""#, "unverified malformed_answer"),
            (#""0x0""#, "unverified malformed_answer"), (#""٠""#, "unverified malformed_answer"),
        ])
    func forms(status: String, words: String) async throws {
        #expect(try await outcome(of: #"{"status":\#(status)}"#).words == words)
    }

    private func outcome(of body: String) async throws -> (words: String, asked: Int) {
        let apple = try ScriptedApple { _ in [.reply(body)] }
        let validator = try AppStoreValidator.asking(apple)
        let look = try await validator.look(at: TestDatabase.receipt("r"))
        return (look.words, apple.asks.count)
    }
}
