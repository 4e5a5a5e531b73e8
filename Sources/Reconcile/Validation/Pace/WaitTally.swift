internal import Synchronization

/// The waiting times of all requests, summed.
final class WaitTally: Sendable {
    struct Waits: Equatable, Sendable {
        /// In the rate limiter.
        var forTokens = Duration.zero
        /// From a request's start to its answer or failure.
        var forAnswers = Duration.zero
    }

    private let waits = Mutex(Waits())

    var all: Waits { waits.withLock { $0 } }

    func waitedForTokens(_ duration: Duration) { waits.withLock { $0.forTokens += duration } }

    func waitedForAnswer(_ duration: Duration) { waits.withLock { $0.forAnswers += duration } }
}
