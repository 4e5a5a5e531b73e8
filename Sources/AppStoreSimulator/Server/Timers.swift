struct Timers {
    private var heap: [(due: UInt64, connection: UInt64)] = []

    /// In nanoseconds of the monotonic clock.
    var nextDue: UInt64? { heap.first?.due }

    mutating func add(_ connection: UInt64, due: UInt64) {
        heap.append((due, connection))
        var child = heap.count - 1
        while child > 0, heap[child].due < heap[(child - 1) / 2].due {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func popDue(at now: UInt64) -> UInt64? {
        guard let first = heap.first, first.due <= now, let last = heap.popLast() else {
            return nil
        }
        guard !heap.isEmpty else { return first.connection }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].due < heap[least].due {
                least = child
            }
            guard least != parent else { return first.connection }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
