internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Database retries", .database, .hangLimit)
struct DatabaseRetryTests: DatabaseSuite {
    /// The waits in milliseconds when the same error returns at once each time.
    private static func waits(
        _ error: DatabaseError, giveUpAfter: Duration = .seconds(600), isStopping: Bool = false
    ) -> [Int64] {
        var schedule = DatabaseRetrySchedule(giveUpAfter: giveUpAfter)
        var now = ContinuousClock.now
        var waits: [Int64] = []
        while let wait = schedule.delay(after: error, at: now, isStopping: isStopping) {
            waits.append(wait.inMilliseconds)
            now += wait
        }
        return waits
    }

    /// Errors with the same waits, in milliseconds, and the sums of the waits for a job that has
    /// ten minutes, is stopping, or has a millisecond. To add a case, copy one, or add an SQLSTATE.
    struct Schedule: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var sqlStates: [String?] = []
        var isConnectionLost = false
        var isPassing = false
        var wouldRecur = false
        var first: [Int64] = []
        var longest: Int64 = 0
        var total: Int64 = 0
        var totalWhenStopping: Int64 = 0
        var totalInHaste: Int64 = 0

        var errors: [DatabaseError] {
            sqlStates.map { sqlState in
                DatabaseError(
                    PostgresError(
                        sqlState: sqlState, message: "m", statement: "s",
                        isConnectionLost: isConnectionLost))
            }
        }
    }

    @Test(
        "Each error is retried as its cause is likely to pass, within the time that there is",
        arguments: [
            Schedule(
                testDescription: "disk, resources and locks",
                sqlStates: [
                    "58030", "58P01", "XX000", "XX001", "55P03", "53100", "53200", "55006",
                    "57000",
                ], isPassing: true, first: [500, 1_000, 2_000], longest: 10_000, total: 605_500,
                totalWhenStopping: 3_500, totalInHaste: 500),
            Schedule(
                testDescription: "a lost connection", sqlStates: [nil], isConnectionLost: true,
                first: [100, 200, 400], longest: 5_000, total: 601_300, totalWhenStopping: 3_100,
                totalInHaste: 100),
            Schedule(
                testDescription: "a conflict", sqlStates: ["40001", "40P01"],
                first: [20, 40, 80], longest: 1_280, total: 600_300, totalWhenStopping: 2_540,
                totalInHaste: 620),
            Schedule(
                testDescription: "a cancelled statement", sqlStates: ["57014"],
                first: [500, 500, 500], longest: 500, total: 1_500, totalInHaste: 1_500),
            Schedule(
                testDescription: "an error of a statement, which is permanent",
                sqlStates: ["23505", "23514", "42601", "42P07", "22012", nil], wouldRecur: true),
            Schedule(
                testDescription: "an error that needs an operator",
                sqlStates: ["42P01", "42501", "28000", "25006", "22P05"]),
        ])
    func schedule(schedule: Schedule) {
        for error in schedule.errors {
            let waits = Self.waits(error)
            #expect(error.isPassing == schedule.isPassing, "\(error)")
            #expect(error.wouldRecur == schedule.wouldRecur, "\(error)")
            #expect(Array(waits.prefix(3)) == schedule.first, "\(error)")
            #expect(waits.max() ?? 0 == schedule.longest, "\(error)")
            #expect(waits.reduce(0, +) == schedule.total, "\(error)")
            let stopping = Self.waits(error, isStopping: true).reduce(0, +)
            #expect(stopping == schedule.totalWhenStopping, "\(error)")
            let hasty = Self.waits(error, giveUpAfter: .milliseconds(1)).reduce(0, +)
            #expect(hasty == schedule.totalInHaste, "\(error)")
            #expect(Self.waits(error, giveUpAfter: .zero) == [], "\(error)")
        }
    }

    @Test("A standby that a failover left in place of the primary is waited for, as a lost one is")
    func standby() {
        let standby = Self.waits(DatabaseError(.standby, statement: "s"))
        #expect(standby == Self.waits(DatabaseError(.unreachable("m"), statement: "s")))
        #expect(standby.first == 100)
    }

    @Test("A session that an operator set to read only is not waited for")
    func readOnly() {
        #expect(Self.waits(DatabaseError(.readOnly, statement: "s")) == [])
    }

    @Test("A run survives a long lock and a disk error", arguments: [nil, "58030", "XX000"])
    func survives(sqlState: String?) async throws {
        let batch = try await night(["r1": "ann"])[0]
        let other = try await session()
        let failure = """
            create function public.fail() returns trigger language plpgsql as $$
            begin raise exception 'no block' using errcode = '\(sqlState ?? "")'; end $$;
            create trigger fail before insert on reconcile.user_result
            for each row execute function public.fail()
            """
        let lock = "begin; lock reconcile.user_result in access exclusive mode"
        try await other.script(sqlState == nil ? lock : failure)
        let (events, signal) = AsyncStream.makeStream(of: RunEvent.self)
        let retry = DatabaseRetry(giveUpAfter: .seconds(240)) { signal.yield($0) }
        let retrying = try await connect().with(retry: retry)
        let connection = try await retrying.session.pool.lend()
        try await connection.script("set lock_timeout = '10ms'")
        retrying.session.pool.putBack(connection)
        let recording = Task {
            defer { signal.finish() }
            return try await record(.test(batch, .test()), by: retrying)
        }
        let end = sqlState == nil ? "rollback" : "drop trigger fail on reconcile.user_result"
        var seen: [RunEvent] = []
        for await event in events {
            if seen.isEmpty { try await other.script(end) }
            seen.append(event)
        }
        #expect(try await recording.value == FlushResult(held: [1]))
        #expect(seen.count == 2)
        #expect(seen.last?.isDatabaseBack == true)
        #expect(seen.first?.outage?.contains("Waiting up to 4 minutes. ") == true)
        #expect(try await texts("select user_id from reconcile.user_result") == ["ann"])
    }

    @Test("A check of the views waits for a lock on a table below them, and names the view")
    func lockedView() async throws {
        try await store(["r1": "ann"])
        let other = try await session()
        try await other.script("begin; lock team.receipts in access exclusive mode")
        let (events, signal) = AsyncStream.makeStream(of: RunEvent.self)
        let retrying = try await connect().with(retry: DatabaseRetry { signal.yield($0) })
        let connection = try await retrying.session.pool.lend()
        try await connection.script("set lock_timeout = '10ms'")
        retrying.session.pool.putBack(connection)
        let check = Task {
            defer { signal.finish() }
            return try await retrying.views.check()
        }
        var seen: [RunEvent] = []
        for await event in events {
            if seen.isEmpty { try await other.script("rollback") }
            seen.append(event)
        }
        #expect(try await check.value == [])
        #expect(seen.count == 2)
        #expect(seen.first?.outage?.contains("Another session holds a lock") == true)
        #expect(seen.first?.outage?.contains("reconcile.stored_receipts") == true)
        #expect(seen.last?.isDatabaseBack == true)
    }

    @Test("A silent statement is retried, but not the work whose statement gave up")
    func silence() async throws {
        let proxy = try FaultProxy(before: test.url)
        let database = try await connect(through: proxy)
        let patient = database.with(retry: DatabaseRetry(silenceLimit: .seconds(2)) { _ in })
        // Outside any batch: a short statement, and one that may take long.
        proxy.fallSilent()
        _ = try await patient.facts.facts(of: Run.test())
        proxy.fallSilent()
        _ = try await patient.reports.totals(of: run)
        let hasty = database.with(retry: DatabaseRetry(giveUpAfter: .milliseconds(300)) { _ in })
        proxy.end()
        var begun = 0
        _ = try await databaseError {
            try await hasty.retrying {
                begun += 1
                _ = try await hasty.facts.facts(of: Run.test())
            }
        }
        #expect(begun == 1)
    }
}
