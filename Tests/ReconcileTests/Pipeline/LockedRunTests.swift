import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: lock a table in another session, start a run, and release the lock when it waits.
@Suite("A run whose views another session locks", .database, .hangLimit)
struct LockedRunTests: DatabaseSuite {
    /// Asks until `condition`, SQL that returns a boolean, is true.
    private func until(_ condition: String) async throws {
        let watcher = try await session()
        let statement = "select (\(condition))::text as value"
        while try await watcher.texts(statement) != ["true"] {}
    }

    @Test("Batches wait their turn, the wait is reported once, and every user is recorded once")
    func waits() async throws {
        try await fill(users: 6)
        let (events, event) = AsyncStream.makeStream(of: RunEvent.self)
        let retry = DatabaseRetry(lockWait: .milliseconds(1)) { event.yield($0) }
        let patient = try await connect(connections: 3).with(retry: retry)
        let pass = try await Pass(database, ScriptedApple { [.valid($0)] }, usersPerBatch: 2)
        let team = try await session()
        try await team.script("begin; lock table team.entitlements")
        async let reconciling: Void = pass.reconcile(over: patient)
        try await until(
            "select count(*) = 3 from reconcile.batch where not_before is not null and lease > 0")
        var reported = events.makeAsyncIterator()
        let wait = try #require(await reported.next()?.outage)
        #expect(wait.contains("reconcile.stored_entitlements cannot be read while process "))
        try await team.script("commit")
        try await reconciling
        #expect(try await pass.summary().receipts[.verified] == 6)
        #expect(pass.apple.asks.count == 6)
        event.finish()
        #expect(await reported.next()?.isDatabaseBack == true)
        #expect(await reported.next() == nil)
    }

    @Test("A group of the second look waits its turn, and is asked about once")
    func secondLook() async throws {
        try await fill(users: 3)
        let retry = DatabaseRetry(lockWait: .milliseconds(1)) { _ in }
        let patient = try await connect(connections: 3).with(retry: retry)
        let team = try await session()
        let asked = Shared(0)
        let apple = try ScriptedApple { ask in
            // All users of the first pass have been read when the last one is asked about.
            if asked.update({ $0 += 1 }) == 3 {
                Gate.blocking { try await team.script("begin; lock table team.entitlements") }
            }
            return [ask.shows("r1") ? .status(21003) : .valid(ask)]
        }
        let pass = try await Pass(database, apple, inFlight: 1)
        async let reconciling: Void = pass.reconcile(over: patient)
        try await until(
            "exists (select from reconcile.batch where look = 2 and not_before is not null)")
        try await team.script("commit")
        try await reconciling
        #expect(try await pass.summary().receipts[.verified] == 2)
        #expect(try await pass.summary().receipts[.rejected] == 1)
        #expect(apple.asksByReceipt[TestDatabase.receipt("r1")] == 2)
        #expect(try await texts("select max(attempts) from reconcile.batch") == ["0"])
    }

    @Test("A batch that has lost many users since the cut is named with both counts")
    func short() async throws {
        try await fill(users: 30)
        let pass = try await Pass(database, ScriptedApple { [.valid($0)] }, usersPerBatch: 100)
        try await execute(
            "update team.receipts set who = 'u1'; update team.entitlements set who = 'u1'")
        try await pass.reconcile()
        let warnings = pass.events.warnings
        #expect(warnings.count == 1)
        #expect(
            warnings.first?.contains(
                "Batch 1 has 1 users, 30 receipts, 30 entitlements, but had 30 users, ") == true)
    }
}
