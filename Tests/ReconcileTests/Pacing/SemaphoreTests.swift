import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A semaphore", .timeLimit(.minutes(10)))
struct SemaphoreTests {
    private func waiters(
        _ count: Int, of semaphore: Semaphore,
        then body: @escaping @Sendable (Int) -> Void = { _ in }
    ) async -> [Task<Void, any Error>] {
        var tasks: [Task<Void, any Error>] = []
        for number in 1...max(1, count) where count > 0 {
            tasks.append(
                Task {
                    try await semaphore.wait()
                    body(number)
                })
            while semaphore.waiting < number { await Task.yield() }
        }
        return tasks
    }

    @Test(
        "Exactly as many permits are given as there are, and those that nobody awaits are kept",
        arguments: [(1, 0, 0), (3, 0, 0), (0, 0, 2), (0, 2, 3)])
    func permits(first: Int, waiting: Int, returned: Int) async throws {
        let semaphore = Semaphore(permits: first)
        let tasks = await waiters(waiting, of: semaphore)
        if returned > 0 { semaphore.signal(returned) }
        for task in tasks { try await task.value }
        for _ in 0..<first + returned - waiting { try await semaphore.wait() }
        let next = Task { try await semaphore.wait() }
        await expectWaiting(next)
        #expect(semaphore.waiting == 1)
        semaphore.signal()
        try await next.value
        #expect(semaphore.waiting == 0)
    }

    @Test("Waiting tasks are served in the order of arrival")
    func order() async throws {
        let semaphore = Semaphore(permits: 0)
        let served = Shared<[Int]>([])
        let tasks = await waiters(5, of: semaphore) { number in served.update { $0 += [number] } }
        for number in 1...5 {
            semaphore.signal()
            try await tasks[number - 1].value
            #expect(served.current == Array(1...number))
        }
    }

    @Test("A task that is cancelled while it waits is skipped")
    func cancelled() async throws {
        let semaphore = Semaphore(permits: 0)
        let tasks = await waiters(2, of: semaphore)
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        #expect(semaphore.waiting == 1)
        semaphore.signal()
        try await tasks[1].value
    }

    @Test("A task that is already cancelled gets no permit")
    func cancelledBefore() async throws {
        let semaphore = Semaphore(permits: 1)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await semaphore.wait()
        }
        await #expect(throws: CancellationError.self) { try await late.value }
        try await semaphore.wait()
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
        for task in tasks { _ = await task.result }
        #expect((1...3).contains(most.current))
        // All permits have been returned.
        for _ in 1...3 { try await semaphore.wait() }
        #expect(semaphore.waiting == 0)
    }
}
