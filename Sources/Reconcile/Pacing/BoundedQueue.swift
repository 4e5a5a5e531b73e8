internal import Synchronization

/// A queue between tasks. Senders wait while it is full, receivers while it is empty.
final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        /// `next` is reversed, and refilled from `sent` when empty: elements are never shifted.
        var sent: [Element] = []
        var next: [Element] = []
        var isFinished = false
        var senders: [Waiter] = []
        var receivers: [Waiter] = []
        var lastID = 0

        var count: Int { sent.count + next.count }

        mutating func popFirst() -> Element? {
            if next.isEmpty {
                next = sent.reversed()
                sent.removeAll(keepingCapacity: true)
            }
            return next.popLast()
        }

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }
    }

    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = Swift.max(1, capacity) }

    /// - Throws: `CancellationError`; then `element` was not added.
    func send(_ element: Element) async throws {
        while true {
            let isSent = state.withLock { state -> (Bool, Waiter?) in
                guard state.count < capacity else { return (false, nil) }
                state.sent.append(element)
                return (true, state.receivers.popLast())
            }
            isSent.1?.continuation.resume()
            if isSent.0 { return }
            try await wait { state, waiter in
                guard state.count >= self.capacity else { return false }
                state.senders.append(waiter)
                return true
            }
        }
    }

    /// The oldest element; nil when the queue is finished and empty.
    func next() async throws -> Element? {
        while true {
            let (element, isFinished, sender) = state.withLock { state in
                guard let element = state.popFirst() else {
                    return (Element?.none, state.isFinished, Waiter?.none)
                }
                let sender = state.senders.isEmpty ? nil : state.senders.removeFirst()
                return (element, false, sender)
            }
            sender?.continuation.resume()
            if element != nil || isFinished { return element }
            try await wait { state, waiter in
                guard state.count == 0, !state.isFinished else { return false }
                state.receivers.append(waiter)
                return true
            }
        }
    }

    func finish() {
        let receivers = state.withLock { state in
            state.isFinished = true
            defer { state.receivers = [] }
            return state.receivers
        }
        for receiver in receivers { receiver.continuation.resume() }
    }

    /// Suspends until resumed, unless `join` returns false.
    private func wait(
        _ join: @escaping @Sendable (inout State, Waiter) -> Bool
    ) async throws {
        try Task.checkCancellation()
        let id = state.withLock { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = Waiter(id: id, continuation: continuation)
                let result = state.withLock { state -> Result<Void, any Error>? in
                    // An earlier cancellation is seen here; a later one finds the waiter.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    return join(&state, waiter) ? nil : .success(())
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            leave(id)
        }
    }

    private func leave(_ id: Int) {
        let waiter = state.withLock { state -> Waiter? in
            if let index = state.receivers.firstIndex(where: { $0.id == id }) {
                return state.receivers.remove(at: index)
            }
            guard let index = state.senders.firstIndex(where: { $0.id == id }) else { return nil }
            return state.senders.remove(at: index)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
