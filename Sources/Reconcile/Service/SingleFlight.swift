internal import Synchronization

/// Merges concurrent calls with one key: the first does the work for all.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let waiting = Mutex<[Key: [CheckedContinuation<Value?, Never>]]>([:])

    func value(for key: Key, _ work: () async -> Value) async -> Value {
        // Nil: this caller is the first.
        let brought = await withCheckedContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                guard waiting[key] != nil else {
                    waiting[key] = []
                    return true
                }
                waiting[key]?.append(continuation)
                return false
            }
            if isFirst { continuation.resume(returning: nil) }
        }
        if let brought { return brought }
        let value = await work()
        for other in waiting.withLock({ $0.removeValue(forKey: key) }) ?? [] {
            other.resume(returning: value)
        }
        return value
    }

    func waiting(for key: Key) -> Int { waiting.withLock { $0[key]?.count ?? 0 } }
}
