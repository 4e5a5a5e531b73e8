internal import Synchronization

final class WaitTally: Sendable {
    struct Waits: Equatable, Sendable {
        var forTokens = Duration.zero
        /// From a request's start to its answer or failure.
        var forAnswers = Duration.zero
    }

    private let waits = Mutex(Waits())

    var all: Waits { waits.withLock { $0 } }

    func waitedForTokens(_ duration: Duration) { waits.withLock { $0.forTokens += duration } }

    func waitedForAnswer(_ duration: Duration) { waits.withLock { $0.forAnswers += duration } }
}
