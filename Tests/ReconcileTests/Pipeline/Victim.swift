@testable import Reconcile
@testable import TestSupport

struct Victim: Sendable {
    private let database: Database
    private let proxy: FaultProxy
    private let work: Task<RunEffort, any Error>

    init(
        of pass: Pass, in test: TestDatabase, _ apple: ScriptedApple, inFlight: Int = 2
    ) async throws {
        let proxy = try FaultProxy(before: test.url)
        let database = try await Database.connect(proxy.url(test.url), connections: 3)
        let worker = try await pass.worker(over: database, apple, inFlight: inFlight)
        self.database = database
        self.proxy = proxy
        work = Task { try await worker.drain(pass.plan) }
    }

    /// Returns when the worker is gone, and PostgreSQL has noticed.
    func kill() async {
        proxy.end()
        work.cancel()
        _ = await work.result
        await database.close()
    }
}

extension Pass {
    func reconcile(
        besides count: Int, of test: TestDatabase, _ apple: ScriptedApple
    ) async throws {
        var others: [Database] = []
        for _ in 0..<count {
            others.append(try await Database.connect(test.url, connections: 3))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await reconcile() }
            for other in others {
                group.addTask { _ = try await worker(over: other, apple).drain(plan) }
            }
            try await group.waitForAll()
        }
        for other in others { await other.close() }
    }
}

extension Victim {
    /// Returns once `count` requests have arrived at `apple`, or the worker has ended.
    func work(untilArrivalOf count: Int, at apple: ScriptedApple) async {
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let waits = [
            Task {
                await apple.production.arrival(of: count)
                arrived.finish()
            },
            Task {
                _ = await work.result
                arrived.finish()
            },
        ]
        for await _ in arrivals {}
        for wait in waits { wait.cancel() }
    }
}
