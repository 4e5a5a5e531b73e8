import Testing

@testable import Reconcile
@testable import TestSupport

/// What happens to PostgreSQL, and to the way there, while a run is on.
@Suite("A run over a failing database", .timeLimit(.minutes(5)))
struct DatabaseFaultTests {
    enum Fault: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case terminatedSessions, cutConnections, lostCommits, silence, cancelledStatements
        case serializable

        var testDescription: String { rawValue }
    }

    @Test(
        "goes on by itself, asks nothing twice and counts nothing twice", arguments: Fault.allCases)
    func survives(fault: Fault) async throws {
        try await TestDatabase.with(.views) { test in
            let users = (1...40).map { "user\($0 + 100)" }
            for user in users { try await test.store(receipt: user, of: user) }
            let proxy = try FaultProxy(before: test.url)
            let asked = Shared(0)
            let apple = try ScriptedApple { _ in
                if asked.update({ $0 += 1 }) % 10 == 5 {
                    Gate.blocking { try await Self.strike(fault, test, proxy) }
                }
                return [.reply(AppleAnswer.verified())]
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
                .enduring(
                    Endurance(patience: .seconds(60), silence: .seconds(1)) { event in
                        events.update { $0.append(event) }
                    })
            let pass = try await Pass(database, apple, usersPerBatch: 4, inFlight: 4)
            try await pass.reconcile()
            // Over a way that does not fail, as the run is over.
            let calm = try await Database.connect(test.url, connections: 3)
            let summary = try await calm.summary(of: pass.run) { _ in .complete }
            await calm.close()
            #expect(summary.receipts.verified == users.count)
            #expect(apple.asks.count == summary.requests.sent)
            #expect(summary.requests.sent - summary.requests.retries == users.count)
            let answers = try await test.texts(
                "select count(distinct (batch_no, question)) from reconcile.answer")
            #expect(answers == ["\(users.count)"])
            if fault == .lostCommits { #expect(proxy.commitsCut > 2) }
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
