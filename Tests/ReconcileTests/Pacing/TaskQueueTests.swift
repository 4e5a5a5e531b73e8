import Testing

@testable import Reconcile
@testable import TestSupport

func expectCancelled<T: Sendable>(_ task: Task<T, any Error>) async {
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
}

/// Calls `operation` in a task that was cancelled before.
func expectNone(of operation: @escaping @Sendable () async throws -> Void) async {
    await expectCancelled(
        Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await operation()
        })
}

/// To add a case: a row with the capacity of the queue, and its senders or the elements that fit.
@Suite("A bounded queue", .hangLimit)
struct BoundedQueueTests {
    @Test(
        "Each sender's elements arrive in order, and none is lost or duplicated",
        arguments: [(capacity: 1, senders: 1), (2, 1), (7, 1), (100, 1), (3, 20)])
    func order(capacity: Int, senders: Int) async throws {
        let queue = BoundedQueue<Int>(capacity: capacity)
        async let sending: Void = {
            try await forEach(in: Array(0..<senders), atMost: senders) { sender in
                for number in 0..<100 { try await queue.send(sender * 100 + number) }
            }
            queue.finish()
        }()
        var received: [Int] = []
        while let number = try await queue.next() { received.append(number) }
        try await sending
        // The sort is stable.
        #expect(received.sorted { $0 / 100 < $1 / 100 } == Array(0..<senders * 100))
    }

    @Test("Any number of receivers get each element once, and all end with the queue")
    func receivers() async throws {
        let queue = BoundedQueue<Int>(capacity: 2)
        let received = Shared<[Int]>([])
        async let receiving: Void = forEach(in: queue, atMost: 8) { number in
            await Task.yield()
            received.update { $0.append(number) }
        }
        for number in 0..<500 { try await queue.send(number) }
        queue.finish()
        try await receiving
        #expect(received.current.sorted() == Array(0..<500))
    }

    @Test(
        "A queue is bounded; finished and empty, it ends",
        arguments: [(capacity: 0, room: 1), (1, 1), (3, 3)])
    func room(capacity: Int, room: Int) async throws {
        let queue = BoundedQueue<Int>(capacity: capacity)
        for number in 0..<room { try await queue.send(number) }
        let tooMuch = Task.waiting { try await queue.send(room) }
        #expect(try await queue.next() == 0)
        try await tooMuch.value
        queue.finish()
        for number in 1...room { #expect(try await queue.next() == number) }
        for _ in 1...2 { #expect(try await queue.next() == nil) }
        let empty = BoundedQueue<Int>(capacity: capacity)
        let waiting = Task.waiting { try await empty.next() }
        empty.finish()
        #expect(try await waiting.value == nil)
    }

    @Test("A cancelled receiver loses no element; a cancelled sender adds none, and others do")
    func cancelled() async throws {
        let queue = BoundedQueue<Int>(capacity: 1)
        await expectCancelled(.waiting { try await queue.next() })
        try await queue.send(1)
        let sender = Task.waiting { try await queue.send(2) }
        let patient = Task.waiting { try await queue.send(3) }
        await expectCancelled(sender)
        await expectNone { try await queue.send(4) }
        #expect(try await queue.next() == 1)
        try await patient.value
        #expect(try await queue.next() == 3)
    }
}

@Suite("A bounded for-each", .hangLimit)
struct BoundedForEachTests {
    private struct Failure: Error, Equatable { let number: Int }
    enum Source: CaseIterable, Sendable { case queue, array }

    private let clock = ManualClock()
    /// The number of elements that were sent to the queue, which holds one.
    private let sent = Shared(0)

    private func sleep() async throws { try await clock.sleep(for: .seconds(1)) }

    private func run(
        _ source: Source, upTo count: Int, atMost limit: Int,
        body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let numbers = Array(1..<count + 1)
        if source == .array { return try await forEach(in: numbers, atMost: limit, body: body) }
        let queue = BoundedQueue<Int>(capacity: 1)
        let sending = Task { [sent] in
            for number in numbers {
                try await queue.send(number)
                sent.update { $0 = number }
            }
            queue.finish()
        }
        defer { sending.cancel() }
        try await forEach(in: queue, atMost: limit, body: body)
    }

    @Test(
        "Every element is handled once", arguments: Source.allCases,
        [(0, 4), (1, 4), (1_000, 1), (1_000, 16), (9, 0)])
    func all(source: Source, size: (count: Int, limit: Int)) async throws {
        let seen = Shared<[Int]>([])
        try await run(source, upTo: size.count, atMost: size.limit) { number in
            seen.update { $0.append(number) }
        }
        #expect(seen.current.sorted() == Array(1..<size.count + 1))
    }

    @Test("Neither child tasks nor taken elements exceed the limit", arguments: Source.allCases)
    func bound(source: Source) async throws {
        let done = Task { try await run(source, upTo: 20, atMost: 3) { _ in try await sleep() } }
        for (second, count) in [3, 3, 3, 3, 3, 3, 2].enumerated() {
            await clock.sleepers(count)
            // One child or element too many gets the time to show itself.
            for _ in 0..<20 { await Task.yield() }
            #expect(clock.deadlines.count == count)
            // Those that have ended, three that children have, and the one in the queue.
            #expect(sent.current <= second * 3 + 4)
            clock.advance(by: .seconds(1))
        }
        try await done.value
    }

    @Test("The first error ends the other child tasks and the wait for the next element")
    func error() async throws {
        for source in Source.allCases {
            await #expect(throws: Failure(number: 2)) {
                try await run(source, upTo: 2, atMost: 3) { number in
                    if number == 1 { try await sleep() }
                    await clock.sleepers(1)
                    throw Failure(number: number)
                }
            }
        }
        for limit in [1, 3] {
            let unfinished = BoundedQueue<Int>(capacity: 2)
            try await unfinished.send(7)
            await #expect(throws: Failure(number: 7)) {
                try await forEach(in: unfinished, atMost: limit) { throw Failure(number: $0) }
            }
        }
    }

    @Test("A cancelled task ends the loop with CancellationError, also before the first element")
    func cancelled() async {
        for source in Source.allCases {
            let job = Task { try await run(source, upTo: 9, atMost: 2) { _ in try? await sleep() } }
            await clock.sleepers(2)
            await expectCancelled(job)
        }
        let unfinished = BoundedQueue<Int>(capacity: 1)
        await expectCancelled(.waiting { try await forEach(in: unfinished, atMost: 2) { _ in } })
    }
}

/// To add a case: a row with the first permits, the tasks that wait for one, and the permits that
/// are returned then.
@Suite("A semaphore", .hangLimit)
struct SemaphoreTests {
    @Test(
        "No permit is lost or invented",
        arguments: [(first: 1, waiting: 0, returned: 0), (3, 0, 0), (0, 0, 2), (0, 2, 3)])
    func permits(first: Int, waiting: Int, returned: Int) async throws {
        let semaphore = Semaphore(permits: first)
        await expectNone { try await semaphore.wait() }
        let tasks = (0..<waiting).map { _ in Task.waiting { try await semaphore.wait() } }
        if returned > 0 { semaphore.signal(returned) }
        for task in tasks { try await task.value }
        for _ in 0..<first + returned - waiting { try await semaphore.wait() }
        let next = Task.waiting { try await semaphore.wait() }
        #expect(semaphore.waiting == 1)
        semaphore.signal()
        try await next.value
        #expect(semaphore.waiting == 0)
    }

    @Test("With random cancellations no more tasks run than there are permits")
    func invariant() async throws {
        let semaphore = Semaphore(permits: 3)
        let atWork = Shared(0)
        let most = Shared(0)
        let tasks = (0..<200).map { _ in
            Task {
                try await semaphore.wait()
                let now = atWork.update { $0 += 1 }
                most.update { $0 = max($0, now) }
                await Task.yield()
                atWork.update { $0 -= 1 }
                semaphore.signal()
            }
        }
        for number in stride(from: 0, to: 200, by: 7) { tasks[number].cancel() }
        for (number, task) in tasks.enumerated() {
            do { try await task.value } catch { #expect(number % 7 == 0) }
        }
        #expect((1...3).contains(most.current))
        for _ in 1...3 { try await semaphore.wait() }
        #expect(semaphore.waiting == 0)
    }
}
