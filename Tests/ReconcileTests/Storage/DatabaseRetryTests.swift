internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Database retries", .database, .timeLimit(.minutes(10)))
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

    /// By SQLSTATE: the first three waits in ten minutes, the longest, and their sum; then the sum
    /// for a job that is stopping, and with a millisecond to retry. In turn: disk, resources and
    /// locks; a lost connection; a conflict; a cancelled statement; an error of a statement, which
    /// is permanent; an error that needs an operator.
    @Test("Each error is retried as its cause is likely to pass, within the time that there is")
    func schedule() {
        for (states, expected) in """
        58030 58P01 XX000 XX001 55P03 | passing [500, 1000, 2000] up to 10000, 605500; 3500; 500
        53100 53200 55006 57000 | passing [500, 1000, 2000] up to 10000, 605500; 3500; 500
        LOST | neither [100, 200, 400] up to 5000, 601300; 3100; 100
        40001 40P01 | neither [20, 40, 80] up to 1280, 600300; 2540; 620
        57014 | neither [500, 500, 500] up to 500, 1500; 0; 1500
        23505 23514 42601 42P07 22012 none | recurs [] up to 0, 0; 0; 0
        42P01 42501 28000 25006 22P05 | neither [] up to 0, 0; 0; 0
        """.pairs {
            for state in states.split(separator: " ").map(String.init) {
                let code = ["none", "LOST"].contains(state) ? nil : state
                let cause = PostgresError(
                    sqlState: code, message: "m", statement: "s",
                    isConnectionLost: state == "LOST")
                let error = DatabaseError(cause)
                let waits = Self.waits(error)
                let stopping = Self.waits(error, isStopping: true).reduce(0, +)
                let hasty = Self.waits(error, giveUpAfter: .milliseconds(1)).reduce(0, +)
                let kind = error.isPassing ? "passing" : error.wouldRecur ? "recurs" : "neither"
                let sums = "\(waits.max() ?? 0), \(waits.reduce(0, +)); \(stopping); \(hasty)"
                #expect("\(kind) \(waits.prefix(3)) up to \(sums)" == expected)
                #expect(!(error.isPassing && error.wouldRecur))
                #expect(Self.waits(error, giveUpAfter: .zero) == [])
            }
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
        let (events, signal) = AsyncStream.makeStream(of: String.self)
        let retry = DatabaseRetry(giveUpAfter: .seconds(240)) { signal.yield("\($0)") }
        let retrying = try await connect().with(retry: retry)
        let connection = try await retrying.session.pool.lend()
        try await connection.script("set lock_timeout = '10ms'")
        retrying.session.pool.putBack(connection)
        let recording = Task {
            defer { signal.finish() }
            return try await record(.test(batch, .test()), by: retrying)
        }
        let end = sqlState == nil ? "rollback" : "drop trigger fail on reconcile.user_result"
        var seen: [String] = []
        for await event in events {
            if seen.isEmpty { try await other.script(end) }
            seen.append(event)
        }
        #expect(try await recording.value == FlushResult(held: [1]))
        #expect(seen.count == 2)
        #expect(seen.last == "databaseIsBack")
        #expect(seen.first?.contains("Waiting up to 4 minutes. ") == true)
        #expect(try await texts("select user_id from reconcile.user_result") == ["ann"])
    }

    @Test("A check of the views waits for a lock on a table below them, and names the view")
    func lockedView() async throws {
        try await store(["r1": "ann"])
        let other = try await session()
        try await other.script("begin; lock team.receipts in access exclusive mode")
        let (events, signal) = AsyncStream.makeStream(of: String.self)
        let retrying = try await connect().with(retry: DatabaseRetry { signal.yield("\($0)") })
        let connection = try await retrying.session.pool.lend()
        try await connection.script("set lock_timeout = '10ms'")
        retrying.session.pool.putBack(connection)
        let check = Task {
            defer { signal.finish() }
            return try await retrying.views.check()
        }
        var seen: [String] = []
        for await event in events {
            if seen.isEmpty { try await other.script("rollback") }
            seen.append(event)
        }
        #expect(try await check.value == [])
        #expect(seen.count == 2)
        #expect(seen.first?.contains("Another session holds a lock") == true)
        #expect(seen.first?.contains("reconcile.stored_receipts") == true)
        #expect(seen.last == "databaseIsBack")
    }

    @Test("A silent statement is retried, but not the work whose statement gave up")
    func silence() async throws {
        let proxy = try FaultProxy(before: test.url)
        let database = try await connect(through: proxy)
        let patient = database.with(retry: DatabaseRetry(silenceLimit: .milliseconds(200)) { _ in })
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
