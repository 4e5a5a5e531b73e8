import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The verification of one receipt")
struct VerificationTests {
    /// The requested environments of a script of replies, and the last step.
    private func run(
        _ replies: [ValidationReply], hasSecret: Bool = true, maxAttempts: Int = 4,
        deadline: Duration = .seconds(60), taking duration: Duration = .milliseconds(100),
        retryAfter: Duration? = nil
    ) -> (asked: String, end: Verification.Step?) {
        var verification = Verification(
            policy: RetryPolicy(
                maxAttempts: maxAttempts, base: .milliseconds(1), deadline: deadline))
        var generator = SeededGenerator(1)
        var asked = ""
        for reply in replies {
            let server = verification.environment
            asked += server == .production ? "P" : "S"
            var attempt = Attempt(
                reply: reply, status: AppleStatus.of(reply, from: server, hasSecret: hasSecret))
            attempt.retryAfter = retryAfter
            let step = verification.step(after: attempt, taking: duration, using: &generator)
            guard case .ask(_, let wait) = step else { return (asked, step) }
            verification.waited(wait)
        }
        return (asked, nil)
    }

    private static let receipt = Receipt.showing()
    private static let valid = ValidationReply.status(0, showing: receipt)
    private static let timeout = ValidationReply.failure(.timeout, cause: "", detail: "")

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let replies: [ValidationReply]
        let asked: String
        let end: Verification.Step?
        var hasSecret = true
        var maxAttempts = 4
    }

    static let cases: [Case] = [
        Case(
            testDescription: "ends with the first valid answer", replies: [valid], asked: "P",
            end: .end(.verified(receipt))),
        Case(
            testDescription: "moves to the sandbox on 21007, and judges its answer",
            replies: [.status(21007), valid], asked: "PS", end: .end(.verified(receipt))),
        Case(
            testDescription: "moves back on 21008",
            replies: [.status(21007), .status(21008), valid],
            asked: "PSP", end: .end(.verified(receipt))),
        Case(
            testDescription: "ends in a loop as unverified",
            replies: [.status(21007), .status(21008), .status(21007)], asked: "PSP",
            end: .end(.unverified(.environmentLoop))),
        Case(
            testDescription: "ends in a loop when production may be asked once only",
            replies: [.status(21007), .status(21008)], asked: "PS",
            end: .end(.unverified(.environmentLoop)), maxAttempts: 1),
        Case(
            testDescription: "retries a status with is_retryable, and then gives up",
            replies: [.status(21005), .status(21009), .status(21001), .status(29999)],
            asked: "PPPP",
            end: .end(.unverified(.appleUnavailable))),
        Case(
            testDescription: "recovers", replies: [.status(21199), .status(21005), valid],
            asked: "PPP", end: .end(.verified(receipt))),
        Case(
            testDescription: "counts attempts by environment",
            replies: [
                .status(21005), .status(21005), .status(21005), .status(21007), .status(21005),
                .status(21005), .status(21005), valid,
            ], asked: "PPPPSSSS", end: .end(.verified(receipt))),
        Case(
            testDescription: "does not ask again where Apple says it will not help",
            replies: [.status(21104, isRetryable: false)], asked: "P",
            end: .end(.unverified(.appleUnavailable))),
        Case(
            testDescription: "asks again where Apple says it may help",
            replies: [.status(21104, isRetryable: true), valid], asked: "PP",
            end: .end(.verified(receipt))),
        Case(
            testDescription: "takes no notice of is_retryable outside 21100–21199",
            replies: [.status(21005, isRetryable: false), valid], asked: "PP",
            end: .end(.verified(receipt))),
        Case(
            testDescription: "ends at once when Apple refuses the receipt by 21003",
            replies: [.status(21003), valid], asked: "P", end: .refused(.notAuthentic)),
        Case(
            testDescription: "ends at once when Apple refuses the receipt by 21010",
            replies: [.status(21010), valid], asked: "P", end: .refused(.accountGone)),
        Case(
            testDescription: "ends with 21010 as a refusal also without a secret",
            replies: [.status(21010), valid], asked: "P", end: .refused(.accountGone),
            hasSecret: false),
        Case(
            testDescription: "ends with a refusal also at the only attempt",
            replies: [.status(21003)], asked: "P", end: .refused(.notAuthentic), maxAttempts: 1),
        Case(
            testDescription: "ends with the sandbox's refusal after 21007",
            replies: [.status(21007), .status(21003)], asked: "PS", end: .refused(.notAuthentic)),
        Case(
            testDescription: "ends with a refusal that comes after passing trouble",
            replies: [.status(21005), .httpStatus(503), .status(21010)], asked: "PPP",
            end: .refused(.accountGone)),
        Case(
            testDescription: "blames a missing secret for 21003", replies: [.status(21003)],
            asked: "P", end: .end(.unverified(.sharedSecretMissing)), hasSecret: false),
        Case(
            testDescription: "blames a missing secret for 21004", replies: [.status(21004)],
            asked: "P", end: .end(.unverified(.sharedSecretMissing)), hasSecret: false),
        Case(
            testDescription: "blames the secret for 21004", replies: [.status(21004)], asked: "P",
            end: .end(.unverified(.sharedSecretRejected))),
        Case(
            testDescription: "never believes 21002 on a well-formed receipt",
            replies: [.status(21002), .status(21002), .status(21002), .status(21002)],
            asked: "PPPP",
            end: .end(.unverified(.malformedAccordingToApple))),
        Case(
            testDescription: "never moves on 21002", replies: [.status(21002), valid], asked: "PP",
            end: .end(.verified(receipt))),
        Case(
            testDescription: "ends at once with 21000", replies: [.status(21000)], asked: "P",
            end: .end(.unverified(.requestRefused))),
        Case(
            testDescription: "asks again for an answer without a receipt",
            replies: [.status(0), .status(0)], asked: "PP",
            end: .end(.unverified(.incompleteAnswer)),
            maxAttempts: 2),
        Case(
            testDescription: "retries after an unreadable answer",
            replies: [
                .unreadable(.noStatus), .httpStatus(503),
                timeout, valid,
            ], asked: "PPPP", end: .end(.verified(receipt))),
        Case(
            testDescription: "ends with the last cause",
            replies: [.unreadable(.noStatus), .httpStatus(429)], asked: "PP",
            end: .end(.unverified(.httpStatus)), maxAttempts: 2),
    ]

    @Test("The answers decide which server is asked next, and the end", arguments: cases)
    func leads(row: Case) {
        let (asked, end) = run(
            row.replies, hasSecret: row.hasSecret, maxAttempts: row.maxAttempts)
        #expect(asked == row.asked)
        #expect(end == row.end)
    }

    @Test("The server that refuses is known, and so is the number of its requests")
    func refusingServer() {
        var verification = Verification(
            policy: RetryPolicy(maxAttempts: 4, base: .zero, deadline: .seconds(60)))
        var generator = SeededGenerator(1)
        for (status, server) in [(21007, StoreEnvironment.production), (21003, .sandbox)] {
            #expect(verification.environment == server)
            let reply = ValidationReply.status(status)
            let attempt = Attempt(
                reply: reply, status: AppleStatus.of(reply, from: server, hasSecret: true))
            _ = verification.step(after: attempt, taking: .zero, using: &generator)
        }
        #expect(verification.environment == .sandbox)
        #expect(verification.attempts == [.production: 1, .sandbox: 1])
    }

    @Test("The verification ends at its deadline; attempts and a Retry-After count")
    func deadline() {
        let slow = run(
            Array(repeating: Self.timeout, count: 9), maxAttempts: 9, taking: .seconds(25))
        #expect(slow.asked == "PPP")
        #expect(slow.end == .end(.unverified(.timeout)))
        let told = run([.httpStatus(503), Self.valid], retryAfter: .seconds(61))
        #expect(told.end == .end(.unverified(.httpStatus)))
        let patient = run([.httpStatus(503), Self.valid], retryAfter: .seconds(59))
        #expect(patient.end == .end(.verified(Self.receipt)))
    }
}
