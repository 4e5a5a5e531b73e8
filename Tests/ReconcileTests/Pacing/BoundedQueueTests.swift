import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A bounded queue", .timeLimit(.minutes(10)))
struct BoundedQueueTests {
    @Test(
        "Each sender's elements arrive in order, and none is lost or duplicated",
        arguments: [(1, 1), (2, 1), (7, 1), (100, 1), (3, 20)])
    func order(capacity: Int, senders: Int) async throws {
        let queue = BoundedQueue<Int>(capacity: capacity)
        async let sending: Void = {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<senders {
                    group.addTask { for n in 0..<100 { try await queue.send(sender * 100 + n) } }
                }
                try await group.waitForAll()
            }
            queue.finish()
        }()
        var received: [Int] = []
        while let number = try await queue.next() { received.append(number) }
        try await sending
        #expect(received.count == senders * 100)
        for sender in 0..<senders {
            #expect(received.filter { $0 / 100 == sender } == (0..<100).map { sender * 100 + $0 })
        }
    }

    @Test(
        "The queue holds no more elements than its capacity", arguments: [(0, 1), (1, 1), (3, 3)])
    func room(capacity: Int, room: Int) async throws {
        let queue = BoundedQueue<Int>(capacity: capacity)
        for number in 0..<room { try await queue.send(number) }
        let tooMuch = Task { try await queue.send(room) }
        await expectWaiting(tooMuch)
        #expect(try await queue.next() == 0)
        try await tooMuch.value
        for number in 1...room { #expect(try await queue.next() == number) }
    }

    @Test("A finished queue ends when it is empty, also for a receiver that waits")
    func end() async throws {
        let queue = BoundedQueue<Int>(capacity: 2)
        try await queue.send(1)
        queue.finish()
        for expected in [1, nil, nil] { #expect(try await queue.next() == expected) }

        let empty = BoundedQueue<Int>(capacity: 2)
        let waiting = Task { try await empty.next() }
        await expectWaiting(waiting)
        empty.finish()
        #expect(try await waiting.value == nil)
    }

    @Test("A cancelled sender's element is not added, and the other senders' elements are")
    func cancelledSender() async throws {
        let queue = BoundedQueue<Int>(capacity: 1)
        try await queue.send(1)
        let cancelled = Task { try await queue.send(2) }
        await expectWaiting(cancelled)
        let patient = Task { try await queue.send(3) }
        await expectWaiting(patient)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try await queue.next() == 1)
        try await patient.value
        #expect(try await queue.next() == 3)
    }

    @Test("A cancelled receiver loses no element")
    func cancelledReceiver() async throws {
        let queue = BoundedQueue<Int>(capacity: 1)
        let cancelled = Task { try await queue.next() }
        await expectWaiting(cancelled)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
        try await queue.send(1)
        #expect(try await queue.next() == 1)
    }

    @Test("A task that was cancelled before it had to wait is turned away, and no other")
    func cancelledBefore() async throws {
        let queue = BoundedQueue<Int>(capacity: 1)
        try await queue.send(1)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await queue.send(2)
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(try await queue.next() == 1)
    }
}
