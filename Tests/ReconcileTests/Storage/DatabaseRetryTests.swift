internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Database retries", .timeLimit(.minutes(10)))
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

    /// The first three waits in ten minutes, the longest, and their sum; then the sum for a job
    /// that is stopping, and with a millisecond to retry.
    @Test(
        "Each error is retried as its cause is likely to pass, within the time that there is",
        arguments: [
            // A disk or file that failed once, a lack of resources, a lock that was held for long.
            (
                [
                    "58030", "58P01", "XX000", "XX001", "53100", "53200", "55P03", "55006", "57000",
                ], "passing: [500, 1000, 2000] up to 10000, 605500; 3500; 500"
            ),
            // A lost connection.
            (["08006"], "neither: [100, 200, 400] up to 5000, 601300; 3100; 100"),
            // A conflict: without time to wait there are still some attempts.
            (["40001", "40P01"], "neither: [20, 40, 80] up to 1280, 600300; 2540; 620"),
            // A cancelled statement.
            (["57014"], "neither: [500, 500, 500] up to 500, 1500; 0; 1500"),
            // An error of a statement, which is permanent.
            (["23505", "23514", "42601", "42P07", "22012", nil], "recurs: [] up to 0, 0; 0; 0"),
            // An error that needs an operator.
            (["42P01", "42501", "28000", "25006", "22P05"], "neither: [] up to 0, 0; 0; 0"),
        ] as [([String?], String)])
    func schedule(sqlStates: [String?], expected: String) {
        for sqlState in sqlStates {
            let error = DatabaseError(
                PostgresError(sqlState: sqlState, message: "m", statement: "s"), touching: .tables)
            let waits = Self.waits(error)
            let stopping = Self.waits(error, isStopping: true).reduce(0, +)
            let hasty = Self.waits(error, giveUpAfter: .milliseconds(1)).reduce(0, +)
            let kind = error.isPassing ? "passing" : error.wouldRecur ? "recurs" : "neither"
            let text = """
                \(kind): \(waits.prefix(3)) up to \(waits.max() ?? 0), \(waits.reduce(0, +)); \
                \(stopping); \(hasty)
                """
            #expect(text == expected, "\(sqlState ?? "none")")
            #expect(!(error.isPassing && error.wouldRecur))
            #expect(Self.waits(error, giveUpAfter: .zero) == [])
        }
    }

    private static func failing(_ sqlState: String) -> String {
        """
        create function public.fail() returns trigger language plpgsql as $$
        begin raise exception 'could not read block' using errcode = '\(sqlState)'; end $$;
        create trigger fail before insert on reconcile.user_result
        for each row execute function public.fail()
        """
    }

    @Test(
        "A run survives a lock beyond the lock timeout and an input/output error of the server",
        .database,
        arguments: [
            ("begin; lock table reconcile.user_result in access exclusive mode", "rollback"),
            (failing("58030"), "drop trigger fail on reconcile.user_result"),
            (failing("XX000"), "drop trigger fail on reconcile.user_result"),
        ])
    func survives(trouble: String, end: String) async throws {
        let batch = try await night(["r1": "ann"])[0]
        let other = try await session()
        try await other.script(trouble)
        let (events, signal) = AsyncStream.makeStream(of: String.self)
        let retrying = try await connect().retrying(
            DatabaseRetry(giveUpAfter: .seconds(240)) { event in
                switch event {
                case .databaseIsOut(let why): signal.yield(why)
                case .databaseIsBack: signal.yield("back")
                default: break
                }
            })
        let connection = try await retrying.session.pool.lend()
        try await connection.script("set lock_timeout = '10ms'")
        retrying.session.pool.putBack(connection)
        let recording = Task {
            defer { signal.finish() }
            return try await record(.test(batch, .test()), by: retrying)
        }
        var seen: [String] = []
        for await event in events {
            if seen.isEmpty { try await other.script(end) }
            seen.append(event)
        }
        #expect(try await recording.value == FlushResult(held: [1]))
        #expect(seen.count == 2 && seen.last == "back")
        #expect(seen.first?.contains("When the server works again, run again") == true)
        #expect(try await texts("select user_id from reconcile.user_result") == ["ann"])
    }

    @Test("A statement is retried when its connection acknowledges but never answers", .database)
    func silence() async throws {
        let proxy = try FaultProxy(before: test.url)
        let database = try await connect(through: proxy).retrying(
            DatabaseRetry(giveUpAfter: .seconds(60), silenceLimit: .milliseconds(200)) { _ in })
        // Outside any batch: a short statement, and one that may take long.
        proxy.fallSilent()
        _ = try await database.facts.facts(of: Run.test())
        proxy.fallSilent()
        _ = try await database.reports.totals(of: run)
    }

    @Test(
        "Work of several statements is not retried when the time of one statement is up", .database)
    func givenUpOnce() async throws {
        let proxy = try FaultProxy(before: test.url)
        let database = try await connect(through: proxy).retrying(
            DatabaseRetry(giveUpAfter: .milliseconds(300)) { _ in })
        proxy.end()
        var begun = 0
        await #expect(throws: DatabaseError.self) {
            try await database.retrying {
                begun += 1
                _ = try await database.facts.facts(of: Run.test())
            }
        }
        #expect(begun == 1)
    }
}
