/// Whether, and when, to try once more: exponential backoff with full jitter.
///
/// Source: Marc Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015.
struct RetryPolicy: Sendable {
    enum Decision: Equatable, Sendable {
        case wait(Duration)
        case giveUp(Reason)
    }

    enum Reason: Equatable, Sendable { case attempts, deadline }

    /// The first attempt counts too.
    var maxAttempts: Int
    /// The longest wait after the first attempt; doubled after each further one.
    var base: Duration
    /// Where the doubling ends.
    var cap: Duration
    /// What all attempts and the waits between them may take.
    var deadline: Duration

    init(maxAttempts: Int, base: Duration, cap: Duration = .seconds(30), deadline: Duration) {
        self.maxAttempts = maxAttempts
        self.base = base
        self.cap = cap
        self.deadline = deadline
    }

    /// What to do after the `n`th attempt (from 1) has failed, `spent` after the first began.
    ///
    /// A wait is at least `retryAfter`, the server's own wish, also beyond the cap. One that would
    /// end at the deadline or later is not begun.
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
        // Ends by the cap after at most 127 rounds: an attosecond doubled so often is an age.
        for _ in 1..<max(1, n) {
            if backoff >= cap || backoff <= .zero { break }
            backoff = backoff < cap / 2 ? backoff * 2 : cap
        }
        return backoff > .zero ? backoff : .zero
    }
}

extension Duration {
    /// Uniform between nothing and `limit`, both possible, to the nanosecond.
    fileprivate static func random(
        upTo limit: Duration, using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let nanoseconds = limit.attoseconds / 1_000_000_000
        return Duration(
            attoseconds: Int128.random(in: 0...nanoseconds, using: &generator) * 1_000_000_000)
    }
}
