/// What is left to try for a question: which server to ask next, and when, or the result.
struct RetryState: Sendable {
    enum Step: Equatable, Sendable {
        case ask(AppleServer, after: Duration)
        case end(Validation)
        /// The server asked last refuses the receipt. One such answer ends the look.
        case refused(Rejection)
    }

    private let policy: RetryPolicy
    private let first: AppleServer
    private(set) var server: AppleServer
    private var attempts = PerServer { _ in 0 }
    private(set) var attemptCount = 0
    /// Time in attempts and in backoff; without the rate limiter and pauses.
    private(set) var spent = Duration.zero
    private var visited: Set<AppleServer> = []

    init(policy: RetryPolicy, first: AppleServer) {
        self.policy = policy
        self.first = first
        server = first
    }

    var isRetry: Bool { attempts[server] > 0 }

    mutating func step(
        after attempt: Attempt, taking duration: Duration,
        using generator: inout some RandomNumberGenerator
    ) -> Step {
        attempts[server] += 1
        attemptCount += 1
        spent += duration
        switch attempt.meaning {
        case .verified(let receipt): return .end(.verified(receipt))
        case .refused(let rejection): return .refused(rejection)
        case .elsewhere(let other): return move(to: other)
        case .partly: return goOn()
        case .ended(let cause): return .end(.unverified(cause))
        case .retry(let cause):
            return retry(cause, after: attempt.retryAfter, using: &generator)
        }
    }

    /// Moves once to each other server, and back to the first. A further move is a loop.
    private mutating func move(to other: AppleServer) -> Step {
        if other != first, !visited.insert(other).inserted {
            return .end(.unverified(.environmentLoop))
        }
        guard attempts[other] < policy.maxAttempts else {
            return .end(.unverified(.environmentLoop))
        }
        server = other
        return .ask(other, after: .zero)
    }

    /// Attempts and their time are counted anew for each request.
    private mutating func goOn() -> Step {
        attempts[server] = 0
        spent = .zero
        return .ask(server, after: .zero)
    }

    private func retry(
        _ cause: Unverified, after retryAfter: Duration?,
        using generator: inout some RandomNumberGenerator
    ) -> Step {
        let decision = policy.decision(
            afterAttempt: attempts[server], spent: spent, retryAfter: retryAfter,
            using: &generator)
        switch decision {
        case .wait(let wait): return .ask(server, after: wait)
        case .giveUp: return .end(.unverified(cause))
        }
    }

    mutating func waited(_ duration: Duration) { spent += duration }
}
