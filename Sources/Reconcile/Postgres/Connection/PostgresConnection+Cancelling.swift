internal import Dispatch

extension PostgresConnection {
    /// Runs `operation`, which uses this connection. When the task is cancelled, cancels the
    /// statement, and the operation throws SQLSTATE 57014.
    nonisolated func cancellable<T: Sendable>(
        _ operation: () async throws(PostgresError) -> T
    ) async throws(PostgresError) -> T {
        let turn = canceller.nextTurn()
        let result = await withTaskCancellationHandler {
            do throws(PostgresError) {
                return Result<T, PostgresError>.success(try await operation())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            Self.giveUp(turn, of: canceller)
        }
        return try result.get()
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
