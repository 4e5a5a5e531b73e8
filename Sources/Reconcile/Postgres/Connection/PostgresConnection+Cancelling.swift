internal import Dispatch

extension PostgresConnection {
    /// Runs `operation`, which uses this connection. When the task is cancelled, cancels the
    /// statement, and the operation throws SQLSTATE 57014.
    nonisolated func cancellable<T: Sendable>(
        _ operation: () async throws -> T
    ) async throws -> T {
        let turn = canceller.nextTurn()
        return try await withTaskCancellationHandler {
            try await operation()
        } onCancel: {
            Self.giveUp(turn, of: canceller)
        }
    }

    /// Cancels on another thread, because it blocks, and repeats until the statement has ended.
    private static func giveUp(_ turn: Int, of canceller: PostgresCanceller) {
        DispatchQueue.global().async {
            guard canceller.cancel(turn: turn) else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) {
                giveUp(turn, of: canceller)
            }
        }
    }
}
