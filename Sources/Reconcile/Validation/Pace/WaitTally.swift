internal import Synchronization

/// How long all requests together have waited, and for what.
package final class WaitTally: Sendable {
    package struct Waits: Equatable, Sendable {
        /// Until `--rate` let them go.
        package var forTokens = Duration.zero
        /// From their start to their answer or failure.
        package var forAnswers = Duration.zero
    }

    private let waits = Mutex(Waits())

    package var all: Waits { waits.withLock { $0 } }

    func waitedForTokens(_ duration: Duration) { waits.withLock { $0.forTokens += duration } }

    func waitedForAnswer(_ duration: Duration) { waits.withLock { $0.forAnswers += duration } }
}
