import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A bounded for-each", .timeLimit(.minutes(10)))
struct BoundedForEachTests {
    private struct Failure: Error, Equatable { let number: Int }

    enum Source: CaseIterable, Sendable { case queue, array }

    private let clock = ManualClock()

    private func second() async throws {
        try await clock.sleep(until: clock.now.advanced(by: .seconds(1)), tolerance: nil)
    }

    private static func run(
        _ source: Source, upTo count: Int, atMost limit: Int,
        body: @escaping @Sendable (Int) async throws -> Void
    ) async throws {
        let numbers = Array(1..<count + 1)
        guard source == .queue else {
            return try await forEach(in: numbers, atMost: limit, body: body)
        }
        let queue = BoundedQueue<Int>(capacity: max(1, count))
        for number in numbers { try await queue.send(number) }
        queue.finish()
        try await forEach(in: queue, atMost: limit, body: body)
    }

    @Test(
        "Every element is handled once", arguments: Source.allCases,
        [(0, 4), (1, 4), (1_000, 1), (1_000, 16), (9, 0)])
    func all(source: Source, size: (count: Int, limit: Int)) async throws {
        let seen = Shared<[Int]>([])
        try await Self.run(source, upTo: size.count, atMost: size.limit) { number in
            seen.update { $0.append(number) }
        }
        #expect(seen.current.sorted() == Array(1..<size.count + 1))
    }

    @Test("No more child tasks run at once than the limit", arguments: Source.allCases)
    func bound(source: Source) async throws {
        let started = Shared(0)
        let inFlight = Shared(0)
        let most = Shared(0)
        async let done: Void = Self.run(source, upTo: 20, atMost: 3) { _ in
            started.update { $0 += 1 }
            let now = inFlight.update { $0 += 1 }
            most.update { $0 = max($0, now) }
            try await second()
            inFlight.update { $0 -= 1 }
        }
        for running in [3, 6, 9, 12, 15, 18, 20] {
            await clock.sleepers(running == 20 ? 2 : 3)
            #expect(started.current == running)
            clock.advance(by: .seconds(1))
        }
        try await done
        #expect(most.current == 3)
    }

    @Test("The next element is taken from a queue only when there is a permit for it")
    func leavesTheRestInTheQueue() async throws {
        let queue = BoundedQueue<Int>(capacity: 1)
        let sent = Shared(0)
        let sending = Task {
            for number in 1...9 {
                try await queue.send(number)
                sent.update { $0 = number }
            }
            queue.finish()
        }
        let done = Task { try await forEach(in: queue, atMost: 3) { _ in try await second() } }
        for round in 1...3 {
            await clock.sleepers(3)
            if round < 3 {
                await expectWaiting(done)
                // One more element is in the queue, and the sender waits to send another.
                #expect(sent.current == 3 * round + 1)
            }
            clock.advance(by: .seconds(1))
        }
        try await sending.value
        try await done.value
    }

    @Test(
        "The first error cancels the other child tasks, and is thrown",
        arguments: Source.allCases)
    func error(source: Source) async {
        await #expect(throws: Failure(number: 2)) {
            try await Self.run(source, upTo: 2, atMost: 3) { number in
                if number == 1 { try await second() }
                await clock.sleepers(1)
                throw Failure(number: number)
            }
        }
    }

    @Test("The first error ends the wait for the queue's next element", arguments: [1, 3])
    func errorWhileTheQueueIsEmpty(limit: Int) async throws {
        let unfinished = BoundedQueue<Int>(capacity: 2)
        try await unfinished.send(7)
        await #expect(throws: Failure(number: 7)) {
            try await forEach(in: unfinished, atMost: limit) { throw Failure(number: $0) }
        }
    }

    @Test("A cancelled task ends it with CancellationError", arguments: Source.allCases)
    func cancelled(source: Source) async {
        let task = Task {
            try await Self.run(source, upTo: 9, atMost: 2) { _ in try? await second() }
        }
        await clock.sleepers(2)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A task that is cancelled before the first element ends it with CancellationError")
    func cancelledWhileTheQueueIsEmpty() async {
        let unfinished = BoundedQueue<Int>(capacity: 1)
        let task = Task { try await forEach(in: unfinished, atMost: 2) { _ in } }
        await expectWaiting(task)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
