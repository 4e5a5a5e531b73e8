/// The course of one receipt's verification, as a value: which environment to ask next, when, and
/// what the answers amount to (SPEC §2.3–2.5). It never waits and never asks; see
/// `AppStoreValidator`.
struct Verification: Sendable {
    enum Step: Equatable, Sendable {
        case ask(StoreEnvironment, after: Duration)
        case end(Validation)
    }

    private let policy: RetryPolicy
    private let hasSecret: Bool
    /// Where the receipt is asked for now: production first, always.
    private(set) var environment = StoreEnvironment.production
    /// Attempts so far, by environment.
    private(set) var attempts: [StoreEnvironment: Int] = [:]
    /// Time in attempts and in backoff; waiting for the rate limiter or through a pause does not
    /// count.
    private(set) var spent = Duration.zero
    private var sandboxVisits = 0
    /// How often each environment said 21003 or 21010.
    private var rejections: [StoreEnvironment: [Rejection: Int]] = [:]
    // Of the last attempt.
    private var retryAfter: Duration?
    private var believesRejections = true

    init(policy: RetryPolicy, hasSecret: Bool) {
        (self.policy, self.hasSecret) = (policy, hasSecret)
    }

    var attemptCount: Int { attempts.values.reduce(0, +) }

    /// What to do after an attempt in `environment` that took `duration`.
    /// - Parameters:
    ///   - retryAfter: how long the server asks us to wait.
    ///   - believesRejections: false in a storm of them.
    mutating func step(
        after reply: Reply, retryAfter: Duration? = nil, taking duration: Duration,
        believesRejections: Bool = true, using generator: inout some RandomNumberGenerator
    ) -> Step {
        attempts[environment, default: 0] += 1
        spent += duration
        (self.retryAfter, self.believesRejections) = (retryAfter, believesRejections)
        switch reply {
        case .answer(let answer): return step(after: answer, using: &generator)
        case .unreadable: return retry(.malformedAnswer, using: &generator)
        case .httpStatus: return retry(.httpStatus, using: &generator)
        case .failure(let cause, _): return retry(cause, using: &generator)
        }
    }

    private mutating func step(
        after answer: VerifyReceiptAnswer, using generator: inout some RandomNumberGenerator
    ) -> Step {
        switch answer.status.meaning {
        case .valid:
            guard let receipt = answer.receipt else {
                return retry(.incompleteAnswer, using: &generator)
            }
            return .end(.verified(receipt))
        case .requestRefused: return .end(.unverified(.requestRefused))
        case .malformed: return retry(.malformedAccordingToApple, using: &generator)
        case .notAuthentic:
            guard hasSecret else { return .end(.unverified(.sharedSecretMissing)) }
            return rejection(.notAuthentic, using: &generator)
        case .accountGone: return rejection(.accountGone, using: &generator)
        case .sharedSecretMismatch:
            return .end(.unverified(hasSecret ? .sharedSecretRejected : .sharedSecretMissing))
        case .belongsTo(let other): return move(to: other, using: &generator)
        case .internalError where answer.isRetryable == false:
            return .end(.unverified(.appleUnavailable))
        case .internalError, .unavailable: return retry(.appleUnavailable, using: &generator)
        }
    }

    /// A rejection is believed when one environment says it twice, and not to everybody. In what
    /// looks like a storm it is asked about as often as may be; what became of the storm is known
    /// later, when the report is reviewed.
    private mutating func rejection(
        _ rejection: Rejection, using generator: inout some RandomNumberGenerator
    ) -> Step {
        rejections[environment, default: [:]][rejection, default: 0] += 1
        let isConfirmed = rejections[environment]?[rejection] ?? 0 >= 2
        if isConfirmed, believesRejections { return .end(.rejected(rejection)) }
        let step = retry(.rejectionUnconfirmed, using: &generator)
        guard isConfirmed, case .end = step else { return step }
        return .end(.rejected(rejection))
    }

    /// To the sandbox once, and back to production once; a further move is a loop.
    private mutating func move(
        to other: StoreEnvironment, using generator: inout some RandomNumberGenerator
    ) -> Step {
        switch (environment, other) {
        case (.production, .production), (.sandbox, .sandbox):
            // An environment that names itself says nothing.
            return retry(.appleUnavailable, using: &generator)
        case (.production, .sandbox):
            guard sandboxVisits == 0 else { return .end(.unverified(.environmentLoop)) }
            sandboxVisits += 1
        case (.sandbox, .production): break
        }
        environment = other
        guard attempts[other, default: 0] < policy.maxAttempts else {
            return .end(.unverified(.environmentLoop))
        }
        return .ask(other, after: .zero)
    }

    private func retry(
        _ cause: Unverified, using generator: inout some RandomNumberGenerator
    ) -> Step {
        let decision = policy.decision(
            afterAttempt: attempts[environment, default: 1], spent: spent, retryAfter: retryAfter,
            using: &generator)
        switch decision {
        case .wait(let wait): return .ask(environment, after: wait)
        case .giveUp: return .end(.unverified(cause))
        }
    }

    /// Counts time spent in backoff.
    mutating func waited(_ duration: Duration) { spent += duration }
}
