import Testing

@testable import Reconcile
@testable import TestSupport

/// Faults of PostgreSQL, and of the network to it, during a run.
@Suite("A run on a failing database", .timeLimit(.minutes(10)))
struct DatabaseFaultTests {
    enum Fault: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case terminatedSessions, cutConnections, lostCommits, silence, cancelledStatements
        case serializable

        var testDescription: String { rawValue }
    }

    @Test(
        "The run survives the fault, requests no receipt again and counts nothing twice",
        arguments: Fault.allCases)
    func survives(fault: Fault) async throws {
        try await TestDatabase.with(.views) { test in
            let users = (1...40).map { "user\($0 + 100)" }
            for user in users { try await test.store(receipt: user, of: user) }
            let proxy = try FaultProxy(before: test.url)
            let asked = Shared(0)
            let refused = Set(users.prefix(3).map { TestDatabase.receipt($0) })
            let apple = try ScriptedApple { ask in
                if asked.update({ $0 += 1 }) % 10 == 5 {
                    Gate.blocking { try await Self.strike(fault, test, proxy) }
                }
                return refused.contains(ask.receipt)
                    ? [.reply(AppleAnswer.status(21003))] : [.reply(AppleAnswer.verified())]
            }
            if fault == .serializable {
                try await test.execute(
                    """
                    alter database \(test.name)
                    set default_transaction_isolation = 'serializable'
                    """)
            }
            let events = Shared<[RunEvent]>([])
            let database = try await Database.connect(proxy.url(test.url), connections: 3)
                .retrying(
                    DatabaseRetry(giveUpAfter: .seconds(60), silenceLimit: .seconds(1)) { event in
                        events.update { $0.append(event) }
                    })
            let pass = try await Pass(database, apple, usersPerBatch: 4, inFlight: 4)
            try await pass.reconcile()
            // Reads the finished run without the proxy, which may still be failing.
            let calm = try await Database.connect(test.url, connections: 3)
            let summary = try await calm.summary(of: pass.run) { _ in .complete }
            await calm.close()
            #expect(summary.receipts.verified == users.count - 3)
            #expect(summary.receipts.rejected == 3)
            #expect(apple.asks.count == summary.requests.sent)
            // The second look requests three receipts, ten controls and a quarter more.
            #expect(summary.requests.sent - summary.requests.retries == users.count + 3 + 12)
            let recorded = try await test.texts(
                """
                select concat_ws(' ', count(*), count(distinct user_id))
                from reconcile.user_result where user_id is not null
                """)
            #expect(recorded == ["\(users.count) \(users.count)"])
            if fault == .lostCommits { #expect(proxy.commitsCut > 2) }
            await database.close()
        }
    }

    @Test("If the answer to a COMMIT is lost, the requests for controls are counted once")
    func lostCommitOfControls() async throws {
        try await SecondLookScene.with(users: 30) { scene in
            let proxy = try FaultProxy(before: scene.test.url)
            let forged = SecondLookScene.receipts([5, 15, 25])
            let isCut = Shared(false)
            // With every control refused the second look records nothing else.
            let apple = try ScriptedApple { ask in
                guard ask.attempt > 1 || forged.contains(ask.receipt) else {
                    return [OutageScene.valid(ask)]
                }
                isCut.update { isCut in
                    if !isCut, ask.attempt > 1 {
                        proxy.cutAfterCommits(1)
                        isCut = true
                    }
                }
                return [.reply(AppleAnswer.status(21003))]
            }
            let database = try await Database.connect(proxy.url(scene.test.url), connections: 3)
                .retrying(
                    DatabaseRetry(giveUpAfter: .seconds(60), silenceLimit: .seconds(10)) { _ in })
            let pass = try await Pass(database, apple)
            try await pass.reconcile()
            #expect(proxy.commitsCut == 1)
            let requests = try await pass.summary().requests
            #expect(requests.sent == apple.asks.count)
            #expect(requests.byStatus[21003] == apple.asks.count - 27)
            await database.close()
        }
    }

    private static func strike(
        _ fault: Fault, _ test: TestDatabase, _ proxy: FaultProxy
    ) async throws {
        switch fault {
        case .terminatedSessions: try await test.execute(sessions("terminate"))
        case .cancelledStatements: try await test.execute(sessions("cancel"))
        case .cutConnections: proxy.cut()
        case .lostCommits: proxy.cutAfterCommits(2)
        case .silence: proxy.fallSilent()
        case .serializable: try await test.execute(sessions("terminate"))
        }
    }

    private static func sessions(_ fate: String) -> String {
        """
        select pg_\(fate)_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        """
    }
}
