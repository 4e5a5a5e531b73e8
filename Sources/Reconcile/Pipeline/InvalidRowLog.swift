internal import Synchronization

/// Reports the stored rows with a forbidden null: some by their ids, and how many more there are.
final class InvalidRowLog: Sendable {
    /// Beyond this many lines a log is not read.
    private static let mostLines = 100

    private let observe: @Sendable (RunEvent) -> Void
    private let count = Mutex(0)

    init(observe: @escaping @Sendable (RunEvent) -> Void) { self.observe = observe }

    func report(rowsOf user: StoredUser) {
        for row in user.invalidEntitlements where isShown() { observe(.skipped(row)) }
        for row in user.invalidReceipts where isShown() { observe(.skipped(row)) }
    }

    /// Reports how many rows had no line, once all users are read.
    func finish() {
        let more = count.withLock { $0 } - Self.mostLines
        if more > 0 { observe(.skippedMoreRows(more)) }
    }

    private func isShown() -> Bool {
        count.withLock { count in
            count += 1
            return count <= Self.mostLines
        }
    }
}
