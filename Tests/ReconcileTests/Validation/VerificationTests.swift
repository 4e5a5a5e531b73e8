import Testing

@testable import Reconcile

@Suite("A verification")
struct VerificationTests {
    /// What a script of replies leads to: the environments asked, and the outcome.
    private func run(
        _ replies: [Reply], hasSecret: Bool = true, maxAttempts: Int = 4,
        deadline: Duration = .seconds(60), taking duration: Duration = .milliseconds(100),
        retryAfter: Duration? = nil, stormUntil lastOfStorm: Int = 0
    ) -> (asked: String, outcome: Validation?) {
        var verification = Verification(
            policy: RetryPolicy(
                maxAttempts: maxAttempts, base: .milliseconds(1), deadline: deadline),
            hasSecret: hasSecret)
        var generator = SeededGenerator(1)
        var asked = ""
        for (number, reply) in zip(1..., replies) {
            asked += verification.environment == .production ? "P" : "S"
            let step = verification.step(
                after: reply, retryAfter: retryAfter, taking: duration,
                believesRejections: number > lastOfStorm, using: &generator)
            switch step {
            case .ask(_, let wait): verification.waited(wait)
            case .end(let validation): return (asked, validation)
            }
        }
        return (asked, nil)
    }

    private static func status(_ status: Int, isRetryable: Bool? = nil) -> Reply {
        .answer(
            VerifyReceiptAnswer(
                status: ReceiptStatus(rawValue: status), environment: nil,
                isRetryable: isRetryable, exception: nil, receipt: nil))
    }

    private static let receipt = Receipt.showing()
    private static let valid: Reply = .answer(
        VerifyReceiptAnswer(
            status: ReceiptStatus(rawValue: 0), environment: .production, isRetryable: nil,
            exception: nil, receipt: receipt))

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let replies: [Reply]
        let asked: String
        let outcome: Validation?
        var hasSecret = true
        var maxAttempts = 4
    }

    static let cases: [Case] = [
        Case(
            testDescription: "ends with the first valid answer", replies: [valid], asked: "P",
            outcome: .verified(receipt)),
        Case(
            testDescription: "moves to the sandbox on 21007, and judges its answer",
            replies: [status(21007), valid], asked: "PS", outcome: .verified(receipt)),
        Case(
            testDescription: "moves back on 21008", replies: [status(21007), status(21008), valid],
            asked: "PSP", outcome: .verified(receipt)),
        Case(
            testDescription: "ends in a loop as unverified",
            replies: [status(21007), status(21008), status(21007)], asked: "PSP",
            outcome: .unverified(.environmentLoop)),
        Case(
            testDescription: "ends in a loop when production may be asked once only",
            replies: [status(21007), status(21008)], asked: "PS",
            outcome: .unverified(.environmentLoop), maxAttempts: 1),
        Case(
            testDescription: "asks again what asks to be asked again, and then gives up",
            replies: [status(21005), status(21009), status(21001), status(29999)], asked: "PPPP",
            outcome: .unverified(.appleUnavailable)),
        Case(
            testDescription: "recovers", replies: [status(21199), status(21005), valid],
            asked: "PPP", outcome: .verified(receipt)),
        Case(
            testDescription: "counts attempts by environment",
            replies: [
                status(21005), status(21005), status(21005), status(21007), status(21005),
                status(21005), status(21005), valid,
            ], asked: "PPPPSSSS", outcome: .verified(receipt)),
        Case(
            testDescription: "does not ask again where Apple says it will not help",
            replies: [status(21104, isRetryable: false)], asked: "P",
            outcome: .unverified(.appleUnavailable)),
        Case(
            testDescription: "asks again where Apple says it may help",
            replies: [status(21104, isRetryable: true), valid], asked: "PP",
            outcome: .verified(receipt)),
        Case(
            testDescription: "takes no notice of is_retryable outside 21100–21199",
            replies: [status(21005, isRetryable: false), valid], asked: "PP",
            outcome: .verified(receipt)),
        Case(
            testDescription: "believes 21003 when it is said twice",
            replies: [status(21003), status(21003)], asked: "PP",
            outcome: .rejected(.notAuthentic)),
        Case(
            testDescription: "believes 21003 said twice with other answers between",
            replies: [status(21003), status(21005), status(21003)], asked: "PPP",
            outcome: .rejected(.notAuthentic)),
        Case(
            testDescription: "does not believe 21003 said once by each environment",
            replies: [
                status(21003), status(21007), status(21003), status(21005), status(21005),
                status(21005),
            ], asked: "PPSSSS", outcome: .unverified(.appleUnavailable)),
        Case(
            testDescription: "does not believe 21003 that a valid answer follows",
            replies: [status(21003), valid], asked: "PP", outcome: .verified(receipt)),
        Case(
            testDescription: "does not believe 21003 with one attempt only",
            replies: [status(21003)], asked: "P", outcome: .unverified(.rejectionUnconfirmed),
            maxAttempts: 1),
        Case(
            testDescription: "does not add up 21003 and 21010",
            replies: [status(21003), status(21010)], asked: "PP",
            outcome: .unverified(.rejectionUnconfirmed), maxAttempts: 2),
        Case(
            testDescription: "believes 21010 when it is said twice, also without a secret",
            replies: [status(21010), status(21010)], asked: "PP",
            outcome: .rejected(.accountGone), hasSecret: false),
        Case(
            testDescription: "blames a missing secret for 21003", replies: [status(21003)],
            asked: "P", outcome: .unverified(.sharedSecretMissing), hasSecret: false),
        Case(
            testDescription: "blames a missing secret for 21004", replies: [status(21004)],
            asked: "P", outcome: .unverified(.sharedSecretMissing), hasSecret: false),
        Case(
            testDescription: "blames the secret for 21004", replies: [status(21004)], asked: "P",
            outcome: .unverified(.sharedSecretRejected)),
        Case(
            testDescription: "never believes 21002 on a well-formed receipt",
            replies: [status(21002), status(21002), status(21002), status(21002)], asked: "PPPP",
            outcome: .unverified(.malformedAccordingToApple)),
        Case(
            testDescription: "never moves on 21002", replies: [status(21002), valid], asked: "PP",
            outcome: .verified(receipt)),
        Case(
            testDescription: "ends at once with 21000", replies: [status(21000)], asked: "P",
            outcome: .unverified(.requestRefused)),
        Case(
            testDescription: "asks again for an answer without a receipt",
            replies: [status(0), status(0)], asked: "PP", outcome: .unverified(.incompleteAnswer),
            maxAttempts: 2),
        Case(
            testDescription: "asks again after what is no answer",
            replies: [
                .unreadable(.noStatus), .httpStatus(503),
                .failure(.timeout, detail: ""), valid,
            ], asked: "PPPP", outcome: .verified(receipt)),
        Case(
            testDescription: "ends with the last cause",
            replies: [.unreadable(.noStatus), .httpStatus(429)], asked: "PP",
            outcome: .unverified(.httpStatus), maxAttempts: 2),
    ]

    @Test("leads from answers to an outcome", arguments: cases)
    func leads(row: Case) {
        let (asked, outcome) = run(
            row.replies, hasSecret: row.hasSecret, maxAttempts: row.maxAttempts)
        #expect(asked == row.asked)
        #expect(outcome == row.outcome)
    }

    @Test("ends when its time is up: attempts count, and so does a Retry-After")
    func deadline() {
        let slow = run(
            Array(repeating: .failure(.timeout, detail: ""), count: 9), maxAttempts: 9,
            taking: .seconds(25))
        #expect(slow.asked == "PPP")
        #expect(slow.outcome == .unverified(.timeout))
        let told = run([.httpStatus(503), Self.valid], retryAfter: .seconds(61))
        #expect(told.outcome == .unverified(.httpStatus))
        let patient = run([.httpStatus(503), Self.valid], retryAfter: .seconds(59))
        #expect(patient.outcome == .verified(Self.receipt))
    }

    @Test("does not believe a rejection in a storm of them, and does when it has passed")
    func storm() {
        let refused = Array(repeating: Self.status(21003), count: 4)
        // As often as may be; the review of the report is for the rest.
        #expect(run(refused, stormUntil: 4).outcome == .rejected(.notAuthentic))
        #expect(run(refused, stormUntil: 4).asked == "PPPP")
        #expect(run(refused, stormUntil: 3).asked == "PPPP")
        #expect(run(refused, stormUntil: 3).outcome == .rejected(.notAuthentic))
        #expect(run(refused, stormUntil: 1).asked == "PP")
        let recovered = run(refused.dropLast() + [Self.valid], stormUntil: 4)
        #expect(recovered.outcome == .verified(Self.receipt))
    }
}
