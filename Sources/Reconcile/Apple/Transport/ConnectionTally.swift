internal import Synchronization

/// Counts the requests of a worker for which a connection was made, and those without one since.
final class ConnectionTally: Sendable {
    private struct State {
        var made = 0
        var failuresInARow = 0
    }

    private let state = Mutex(State())

    var made: Int { state.withLock(\.made) }

    /// Requests without a connection since the last that had one.
    var failuresInARow: Int { state.withLock(\.failuresInARow) }

    func note(isMade: Bool) {
        state.withLock { state in
            if isMade { state.made += 1 }
            state.failuresInARow = isMade ? 0 : state.failuresInARow + 1
        }
    }
}
