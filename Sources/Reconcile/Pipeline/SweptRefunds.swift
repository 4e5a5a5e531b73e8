internal import Synchronization

/// The transactions that are refunded by the sweep of refund notices. Read once, before users are
/// judged.
final class SweptRefunds: Sendable {
    private let ids = Mutex<Set<TransactionID>>([])

    func take(_ transactions: Set<TransactionID>) { ids.withLock { $0 = transactions } }

    var all: Set<TransactionID> { ids.withLock { $0 } }
}
