import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a `Fault`, and how it strikes.
@Suite("A run on a failing database", .database, .hangLimit)
struct DatabaseFaultTests: DatabaseSuite {
    enum Fault: CaseIterable {
        case terminatedSessions, cuts, lostCommits, silence, cancelledStatements, serializable

        func strike(_ test: TestDatabase, _ proxy: FaultProxy) async throws {
            switch self {
            case .cuts: proxy.cut()
            case .lostCommits: proxy.cutAfterCommits(2)
            case .silence: proxy.fallSilent()
            case .terminatedSessions, .serializable, .cancelledStatements:
                let fate = self == .cancelledStatements ? "cancel" : "terminate"
                let others = "datname = current_database() and pid <> pg_backend_pid()"
                let fall = "select pg_\(fate)_backend(pid) from pg_stat_activity where \(others)"
                try await test.execute(fall)
            }
        }
    }

    @Test("The run survives the fault and counts nothing twice", arguments: Fault.allCases)
    func survives(fault: Fault) async throws {
        try await fill(users: 40)
        let proxy = try FaultProxy(before: test.url)
        let asked = Shared(0)
        let apple = try ScriptedApple { [test] ask in
            if asked.update({ $0 += 1 }) % 10 == 5 {
                Gate.blocking { try await fault.strike(test, proxy) }
            }
            return [Set.receipts(1...3).contains(ask.receipt) ? .status(21003) : .verified()]
        }
        if fault == .serializable {
            try await execute(
                "alter database \(test.name) set default_transaction_isolation = 'serializable'")
        }
        // Only a silent server needs the short limit.
        let silenceLimit = Duration.seconds(fault == .silence ? 2 : 60)
        let retry = DatabaseRetry(giveUpAfter: .seconds(600), silenceLimit: silenceLimit) { _ in }
        let failing = try await connect(through: proxy, connections: 3).with(retry: retry)
        let pass = try await Pass(failing, apple, usersPerBatch: 4, inFlight: 4)
        try await pass.reconcile()
        // Without the proxy, which may still be failing.
        let undisturbed = try await connect(connections: 3)
        let summary = try await undisturbed.summary(of: pass.run) { _ in .complete }
        #expect(summary.receipts[.verified] == 37)
        #expect(summary.receipts[.rejected] == 3)
        #expect(apple.asks.count == summary.requests.sent)
        // The second look requests three receipts, ten controls and a quarter more.
        #expect(summary.requests.sent - summary.requests.retries == 40 + 3 + 12)
        let users = try await texts("select user_id from reconcile.user_result")
        #expect(users.count == 40)
        #expect(Set(users).count == 40)
        if fault == .lostCommits { #expect(proxy.commitsCut > 2) }
    }
}
