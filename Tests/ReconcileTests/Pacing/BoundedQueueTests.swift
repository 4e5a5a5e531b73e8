import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A bounded queue", .timeLimit(.minutes(10)))
struct BoundedQueueTests {
    @Test("Elements arrive in the order in which they were sent", arguments: [1, 2, 7, 100])
    func order(capacity: Int) async throws {
        let queue = BoundedQueue<Int>(capacity: capacity)
        async let sending: Void = {
            for number in 0..<100 { try await queue.send(number) }
            queue.finish()
        }()
        var received: [Int] = []
        while let number = try await queue.next() { received.append(number) }
        try await sending
        #expect(received == Array(0..<100))
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

    @Test("With many senders no element is lost or duplicated")
    func senders() async throws {
        let queue = BoundedQueue<Int>(capacity: 3)
        async let sending: Void = {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<20 {
                    group.addTask { for n in 0..<50 { try await queue.send(sender * 50 + n) } }
                }
                try await group.waitForAll()
            }
            queue.finish()
        }()
        var received: [Int] = []
        while let number = try await queue.next() { received.append(number) }
        try await sending
        #expect(received.sorted() == Array(0..<1_000))
        for sender in 0..<20 {
            let own = received.filter { $0 / 50 == sender }
            #expect(own == own.sorted())
        }
    }

    @Test("A finished queue ends when it is empty, also for a receiver that waits")
    func end() async throws {
        let queue = BoundedQueue<Int>(capacity: 2)
        try await queue.send(1)
        queue.finish()
        #expect(try await queue.next() == 1)
        #expect(try await queue.next() == nil)
        #expect(try await queue.next() == nil)

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
