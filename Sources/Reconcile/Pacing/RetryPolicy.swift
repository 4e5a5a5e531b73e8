/// Exponential backoff with full jitter. Source: Marc Brooker, "Exponential Backoff and Jitter",
/// AWS Architecture Blog, 2015.
struct RetryPolicy: Sendable {
    enum Decision: Equatable, Sendable {
        case wait(Duration)
        case giveUp(Reason)
    }

    enum Reason: Equatable, Sendable { case attempts, deadline }

    /// Includes the first attempt.
    var maxAttempts: Int
    /// The longest backoff after the first attempt; doubles after each further attempt.
    var base: Duration
    var cap: Duration = .seconds(30)
    /// The limit for all attempts and waits together.
    var deadline: Duration

    /// Decides after the `n`th attempt (from 1) failed, `spent` after the first began. The wait is
    /// at least `retryAfter`, even above the cap. No wait begins that would end at or after the
    /// deadline.
    func decision(
        afterAttempt n: Int, spent: Duration, retryAfter: Duration?,
        using generator: inout some RandomNumberGenerator
    ) -> Decision {
        guard n < maxAttempts else { return .giveUp(.attempts) }
        let jitter = Duration.random(upTo: longestBackoff(afterAttempt: n), using: &generator)
        let wait = max(jitter, retryAfter ?? .zero)
        return spent + wait < deadline ? .wait(wait) : .giveUp(.deadline)
    }

    private func longestBackoff(afterAttempt n: Int) -> Duration {
        var backoff = min(base, cap)
        // At most 127 rounds: an attosecond doubled so often exceeds every cap.
        for _ in 1..<max(1, n) {
            if backoff >= cap || backoff <= .zero { break }
            backoff = backoff < cap / 2 ? backoff * 2 : cap
        }
        return backoff > .zero ? backoff : .zero
    }
}

extension Duration {
    /// A uniform random duration from 0 to `limit`, both included, in whole nanoseconds.
    fileprivate static func random(
        upTo limit: Duration, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let nanoseconds = limit.attoseconds / 1_000_000_000
        return Duration(
            attoseconds: Int128.random(in: 0...nanoseconds, using: &generator) * 1_000_000_000)
    }
}
