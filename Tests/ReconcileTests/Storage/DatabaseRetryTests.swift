internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Database retries", .timeLimit(.minutes(10)))
struct DatabaseRetryTests {
    private static let giveUpAfter = Duration.seconds(600)

    private static func error(_ sqlState: String) -> DatabaseError {
        DatabaseError(
            PostgresError(sqlState: sqlState, message: "m", statement: "s"), touching: .tables)
    }

    /// The waits when the same error returns at once each time.
    private static func waits(
        _ error: DatabaseError, giveUpAfter: Duration = giveUpAfter, isStopping: Bool = false
    ) -> [Duration] {
        var schedule = DatabaseRetrySchedule(giveUpAfter: giveUpAfter)
        var now = ContinuousClock.now
        var waits: [Duration] = []
        while let wait = schedule.delay(after: error, at: now, isStopping: isStopping) {
            waits.append(wait)
            now += wait
        }
        return waits
    }

    @Test(
        "A transient failure of the server is retried until the time is up",
        arguments: ["58030", "XX000", "53100", "53200", "55P03", "57000"])
    func passing(sqlState: String) {
        let waits = Self.waits(Self.error(sqlState))
        #expect(waits.prefix(3) == [.milliseconds(500), .seconds(1), .seconds(2)])
        #expect(waits.max() == .seconds(10))
        let total = waits.reduce(.zero, +)
        #expect(total >= Self.giveUpAfter && total < Self.giveUpAfter + .seconds(11))
    }

    @Test("A lost connection is retried until the time is up")
    func unreachable() {
        let waits = Self.waits(Self.error("08006"))
        #expect(waits.prefix(3) == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
        #expect(waits.max() == .seconds(5))
        let total = waits.reduce(.zero, +)
        #expect(total >= Self.giveUpAfter && total < Self.giveUpAfter + .seconds(6))
    }

    @Test("A cancelled statement is retried three times")
    func counted() { #expect(Self.waits(Self.error("57014")).count == 3) }

    @Test(
        "A conflict is retried until the time is up, with short waits at first",
        arguments: ["40001", "40P01"])
    func conflicts(sqlState: String) {
        let waits = Self.waits(Self.error(sqlState))
        #expect(waits[0] <= .milliseconds(20) && waits.allSatisfy { $0 <= .seconds(2) })
        #expect(waits.reduce(.zero, +) >= Self.giveUpAfter)
        // Without time to wait there are still some attempts.
        let hasty = Self.waits(Self.error(sqlState), giveUpAfter: .milliseconds(1))
        #expect(hasty.count == 5 && hasty.reduce(.zero, +) < .seconds(1))
    }

    @Test(
        "A permanent error, and one that needs an operator, are not retried",
        arguments: [
            "23505", "23514", "42601", "42P01", "42501", "28000", "22012", "25006", "22P05",
        ])
    func never(sqlState: String) {
        #expect(Self.waits(Self.error(sqlState)).isEmpty)
    }

    @Test(
        "With no time to retry nothing is retried",
        arguments: ["08006", "58030", "55P03", "40001", "57014"])
    func noTime(sqlState: String) {
        #expect(Self.waits(Self.error(sqlState), giveUpAfter: .zero).isEmpty)
    }

    @Test(
        "A job that is stopping retries for two seconds at most",
        arguments: ["08006", "58030", "40001"])
    func stopping(sqlState: String) {
        let total = Self.waits(Self.error(sqlState), isStopping: true).reduce(.zero, +)
        #expect(total >= .seconds(2) && total < .seconds(5))
        #expect(Self.waits(Self.error("57014"), isStopping: true).isEmpty)
    }

    @Test("A run survives a lock that is held longer than the lock timeout")
    func lockHeld() async throws {
        try await struck(by: "lock table reconcile.user_result in access exclusive mode") {
            try await $0.execute(PostgresStatement(name: "test", text: "set lock_timeout = '10ms'"))
        }
    }

    @Test("A run survives an input/output error of the server", arguments: ["58030", "XX000"])
    func ioError(sqlState: String) async throws {
        try await struck(
            by: """
                create function public.fail() returns trigger language plpgsql as $$
                begin raise exception 'could not read block' using errcode = '\(sqlState)'; end $$;
                create trigger fail before insert on reconcile.user_result
                for each row execute function public.fail()
                """, isCommitted: true)
    }

    private func struck(
        by trouble: String, isCommitted: Bool = false,
        prepare: @escaping @Sendable (PostgresConnection) async throws -> Void = { _ in }
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann")])
            let batch = try #require(try await database.openedBatches().first)
            let other = PostgresConnection()
            try await other.open(test.url)
            let begin = isCommitted ? trouble : "begin; " + trouble
            try await other.executeScript(PostgresStatement(name: "test", text: begin))
            let (signals, signal) = AsyncStream.makeStream(of: Void.self)
            let events = Shared<[String]>([])
            let retrying = try await Database.connect(test.url, connections: 1).retrying(
                DatabaseRetry(giveUpAfter: .seconds(240)) { event in
                    switch event {
                    case .databaseIsOut(let why): events.update { $0.append(why) }
                    case .databaseIsBack: events.update { $0.append("back") }
                    default: break
                    }
                    signal.yield()
                })
            let connection = try await retrying.session.pool.lend()
            try await prepare(connection)
            retrying.session.pool.putBack(connection)
            let recording = Task {
                defer { signal.finish() }
                return try await retrying.results.record([.test(batch, .test())], of: .test())
            }
            for await _ in signals { break }
            let end = isCommitted ? "drop trigger fail on reconcile.user_result" : "rollback"
            try await other.executeScript(PostgresStatement(name: "test", text: end))
            await other.close()
            #expect(try await recording.value == FlushResult(held: [1]))
            #expect(events.current.count == 2 && events.current.last == "back")
            #expect(
                events.current.first?.contains("When the server works again, run again") == true)
            #expect(
                try await test.texts("select user_id from reconcile.user_result") == ["ann"])
            await retrying.close()
        }
    }

    @Test("A statement is retried when its connection acknowledges but never answers")
    func silence() async throws {
        try await TestDatabase.with(.views) { test in
            let proxy = try FaultProxy(before: test.url)
            let retry = DatabaseRetry(
                giveUpAfter: .seconds(60), silenceLimit: .milliseconds(200)
            ) { _ in }
            let database = try await Database.connect(proxy.url(test.url), connections: 1)
                .retrying(retry)
            // Outside any batch: a short statement, and one that may take long.
            proxy.fallSilent()
            _ = try await database.facts.facts(of: Run.test())
            proxy.fallSilent()
            _ = try await database.reports.totals(of: Run.test().id)
            await database.close()
        }
    }

    @Test("Work of several statements is not retried when the time of one statement is up")
    func givenUpOnce() async throws {
        try await TestDatabase.with(.views) { test in
            let proxy = try FaultProxy(before: test.url)
            let retry = DatabaseRetry(giveUpAfter: .milliseconds(300)) { _ in }
            let database = try await Database.connect(proxy.url(test.url), connections: 1)
                .retrying(retry)
            proxy.end()
            var begun = 0
            await #expect(throws: DatabaseError.self) {
                try await database.retrying {
                    begun += 1
                    _ = try await database.facts.facts(of: Run.test())
                }
            }
            #expect(begun == 1)
            await database.close()
        }
    }
}
