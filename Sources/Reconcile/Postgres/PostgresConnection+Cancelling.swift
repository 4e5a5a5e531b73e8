internal import Dispatch

extension PostgresConnection {
    /// Runs `operation`, which uses this connection; when the task is cancelled, the server is
    /// told to stop, and the operation throws SQLSTATE 57014.
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
            // Not here, where it would block the thread of whoever cancels.
            DispatchQueue.global().async { [canceller] in canceller.cancel(turn: turn) }
        }
        return try result.get()
    }
}
