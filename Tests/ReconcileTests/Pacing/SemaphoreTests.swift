import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A semaphore", .timeLimit(.minutes(10)))
struct SemaphoreTests {
    @Test("Exactly as many permits are given as there are", arguments: [1, 3])
    func permits(count: Int) async throws {
        let semaphore = Semaphore(permits: count)
        for _ in 1...count { try await semaphore.wait() }
        let next = Task { try await semaphore.wait() }
        await expectWaiting(next)
        #expect(semaphore.waiting == 1)
        semaphore.signal()
        try await next.value
        #expect(semaphore.waiting == 0)
    }

    @Test("A returned permit is kept if no task waits for it")
    func signalFirst() async throws {
        let semaphore = Semaphore(permits: 0)
        semaphore.signal(2)
        try await semaphore.wait()
        try await semaphore.wait()
        await expectWaiting(Task { try await semaphore.wait() })
        semaphore.signal()
    }

    @Test("Waiting tasks are served in the order of arrival")
    func order() async throws {
        let semaphore = Semaphore(permits: 0)
        let served = Shared<[Int]>([])
        var tasks: [Task<Void, any Error>] = []
        for number in 1...5 {
            tasks.append(
                Task {
                    try await semaphore.wait()
                    served.update { $0.append(number) }
                })
            while semaphore.waiting < number { await Task.yield() }
        }
        for number in 1...5 {
            semaphore.signal()
            try await tasks[number - 1].value
            #expect(served.current == Array(1...number))
        }
    }

    @Test("Several returned permits serve several tasks at once, and the rest are kept")
    func several() async throws {
        let semaphore = Semaphore(permits: 0)
        let tasks = (1...2).map { _ in Task { try await semaphore.wait() } }
        while semaphore.waiting < 2 { await Task.yield() }
        semaphore.signal(3)
        for task in tasks { try await task.value }
        try await semaphore.wait()
        await expectWaiting(Task { try await semaphore.wait() })
        semaphore.signal()
    }

    @Test("A task that is cancelled while it waits is skipped")
    func cancelled() async throws {
        let semaphore = Semaphore(permits: 0)
        let first = Task { try await semaphore.wait() }
        while semaphore.waiting < 1 { await Task.yield() }
        let second = Task { try await semaphore.wait() }
        while semaphore.waiting < 2 { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(semaphore.waiting == 1)
        semaphore.signal()
        try await second.value
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
        for task in tasks.enumerated() where task.offset.isMultiple(of: 7) { task.element.cancel() }
        for task in tasks { _ = await task.result }
        #expect((1...3).contains(most.current))
        // All permits have been returned.
        for _ in 1...3 { try await semaphore.wait() }
        #expect(semaphore.waiting == 0)
    }
}
