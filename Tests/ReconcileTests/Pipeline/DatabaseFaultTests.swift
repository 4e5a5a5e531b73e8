import Testing

@testable import Reconcile
@testable import TestSupport

/// Faults of PostgreSQL, and of the network to it, during a run.
@Suite("A run on a failing database", .database, .timeLimit(.minutes(10)))
struct DatabaseFaultTests: DatabaseSuite {
    enum Fault: CaseIterable {
        case terminatedSessions, cutConnections, lostCommits, silence, cancelledStatements
        case serializable
    }

    private func connect(
        through proxy: FaultProxy, silenceLimit: Duration
    ) async throws -> Database {
        try await connect(through: proxy, connections: 3).retrying(
            DatabaseRetry(giveUpAfter: .seconds(60), silenceLimit: silenceLimit) { _ in })
    }

    @Test(
        "The run survives the fault, requests no receipt again and counts nothing twice",
        arguments: Fault.allCases)
    func survives(fault: Fault) async throws {
        let users = (1...40).map { "user\($0 + 100)" }
        try await storeReceipts(of: users)
        let proxy = try FaultProxy(before: test.url)
        let asked = Shared(0)
        let refused = Set(users.prefix(3).map { TestDatabase.receipt($0) })
        let test = test
        let apple = try ScriptedApple { ask in
            if asked.update({ $0 += 1 }) % 10 == 5 {
                Gate.blocking { try await Self.strike(fault, test, proxy) }
            }
            return [refused.contains(ask.receipt) ? .status(21003) : .verified()]
        }
        if fault == .serializable {
            try await execute(
                "alter database \(test.name) set default_transaction_isolation = 'serializable'")
        }
        let failing = try await connect(through: proxy, silenceLimit: .seconds(1))
        let pass = try await Pass(failing, apple, usersPerBatch: 4, inFlight: 4)
        try await pass.reconcile()
        // Without the proxy, which may still be failing.
        let calm = try await connect(connections: 3)
        let summary = try await calm.summary(of: pass.run) { _ in .complete }
        #expect(summary.receipts.verified == users.count - 3)
        #expect(summary.receipts.rejected == 3)
        #expect(apple.asks.count == summary.requests.sent)
        // The second look requests three receipts, ten controls and a quarter more.
        #expect(summary.requests.sent - summary.requests.retries == users.count + 3 + 12)
        let recorded = """
            select concat_ws(' ', count(*), count(distinct user_id))
            from reconcile.user_result where user_id is not null
            """
        #expect(try await texts(recorded) == ["\(users.count) \(users.count)"])
        if fault == .lostCommits { #expect(proxy.commitsCut > 2) }
    }

    @Test("If the answer to a COMMIT is lost, the requests for controls are counted once")
    func lostCommitOfControls() async throws {
        try await fill(users: 30)
        let proxy = try FaultProxy(before: test.url)
        let forged = Set.receipts([5, 15, 25])
        let isCut = Shared(false)
        // With every control refused the second look records nothing else.
        let apple = try ScriptedApple { ask in
            guard ask.attempt > 1 || forged.contains(ask.receipt) else { return [.valid(ask)] }
            isCut.update { isCut in
                if !isCut, ask.attempt > 1 {
                    proxy.cutAfterCommits(1)
                    isCut = true
                }
            }
            return [.status(21003)]
        }
        let failing = try await connect(through: proxy, silenceLimit: .seconds(10))
        let requests = try await Pass(failing, apple).finish().requests
        #expect(proxy.commitsCut == 1)
        #expect(requests.sent == apple.asks.count)
        #expect(requests.byStatus[21003] == apple.asks.count - 27)
    }

    private static func strike(
        _ fault: Fault, _ test: TestDatabase, _ proxy: FaultProxy
    ) async throws {
        switch fault {
        case .terminatedSessions, .serializable: try await test.execute(sessions("terminate"))
        case .cancelledStatements: try await test.execute(sessions("cancel"))
        case .cutConnections: proxy.cut()
        case .lostCommits: proxy.cutAfterCommits(2)
        case .silence: proxy.fallSilent()
        }
    }

    private static func sessions(_ fate: String) -> String {
        """
        select pg_\(fate)_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        """
    }
}
