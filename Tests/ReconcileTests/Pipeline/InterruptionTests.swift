import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with users a batch, and the numbers of requests that are never answered: at
/// each of them a worker is killed.
@Suite("A killed run with refused receipts", .database, .serialized, .hangLimit)
struct KillTests: DatabaseSuite {
    /// A request whose number is among `stops` is never answered.
    private func pass(_ night: Int, usersPerBatch: Int, stops: [Int] = []) async throws -> Pass {
        let refused = [6: 21003, 9: 21010, 16: 21003, 26: 21003, 36: 21003, 39: 21010, 46: 21003]
        let answered = Shared(0)
        let apple = try ScriptedApple { ask in
            if stops.contains(answered.update { $0 += 1 }) { return [.stall] }
            let refusal = refused.first { ask.shows("r\($0.key)") }
            if let refusal { return [.status(refusal.value)] }
            // Up to two periods of some of nine chains, which users share.
            let periods = [ask.lot, ask.lot / 9].prefix(ask.lot / 81 % 3).map { lot in
                let chain = lot % 9 + 1
                let end = Double(chain * 7 % 40 - 12)
                return AppleAnswer.period(
                    "\(chain)", of: ["pro.monthly", "max.monthly", "x.monthly"][chain % 3],
                    from: end - 30, to: end, cancelled: chain % 4 == 0 ? min(-2, end - 20) : nil)
            }
            return [.reply(AppleAnswer.verified(periods))]
        }
        return try await Pass(
            database, apple, usersPerBatch: usersPerBatch, inFlight: usersPerBatch == 1 ? 1 : 8,
            night: night)
    }

    @Test(
        "Batch size, requests in flight, and kills at any time change no byte of the report rows",
        arguments: [
            (usersPerBatch: 20, stops: [1]), (20, [20, 21, 22]), (20, [45]), (20, [60]), (20, [61]),
            (20, [70]),
            (20, [79]), (20, [80]), (20, [30, 50, 65, 85]), (20, [61, 65, 69, 73, 77, 81, 85]),
            (1, []), (3, []),
        ])
    func killed(usersPerBatch: Int, stops: [Int]) async throws {
        try await fill(users: 60)
        try await test.sell("max.monthly")
        // Six users are granted nothing, six have no receipt, and six have two.
        try await execute(
            """
            update team.entitlements set product = 'max.monthly' where who ~ '[13579]$';
            update team.entitlements set active = false where who ~ '0$';
            update team.receipts set who = replace(who, 'u3', 'u5') where who ~ '^u3[0-5]$'
            """)
        let undisturbed = try await pass(1, usersPerBatch: 100)
        try await undisturbed.finish()
        // The second look has the refused receipts, ten controls and a quarter more.
        #expect(undisturbed.apple.asks.count == 60 + 7 + 12)
        let expected = try await report(of: undisturbed)
        #expect(expected.outcomes.count == 60)
        // More findings than those of refused receipts.
        #expect(expected.findings.count > 7 + 5 + 10)
        // The two receipts of deleted accounts accuse no user.
        let gone = try await findings().filter { ["u9", "u39"].contains($0.userID) }
        #expect(gone.map(\.kind) == [.receiptAccountGone, .receiptAccountGone])
        let pass = try await pass(2, usersPerBatch: usersPerBatch, stops: stops)
        for stop in stops { try await kill(pass, at: stop) }
        try await pass.reconcile()
        #expect(try await report(of: pass) == expected)
    }

    @Test(
        "Workers share both looks, and a slow one loses its group when the lease expires",
        arguments: [(workers: 2, isLost: false), (4, false), (2, true)])
    func shared(workers: Int, isLost: Bool) async throws {
        try await fill(users: 300)
        let refused = Set.receipts((1...150).map { $0 * 2 })
        let gate = Gate()
        let apple = try ScriptedApple { ask in
            if ask.attempt > 1 { gate.wait() }
            return [refused.contains(ask.receipt) ? .status(21003) : .valid(ask)]
        }
        let pass = try await Pass(database, apple, usersPerBatch: 10, inFlight: 4)
        func worker() -> Task<Void, any Error> {
            Task { try await pass.reconcile(over: connect(connections: 3)) }
        }
        var work = (0..<workers).map { _ in worker() }
        // Both groups, of 100 and 50 users, have a worker.
        await apple.production.arrival(of: 300 + 2 * 4)
        if isLost {
            let former = try await texts("select worker_no from reconcile.worker")
                .compactMap(\.self).joined(separator: ", ")
            work.append(worker())
            // However often a worker renews its lease, until a group is taken over.
            try await execute(
                """
                create function team.expire() returns trigger language plpgsql
                as $$ begin new.leased_until = '-infinity'; return new; end $$;
                create trigger expire before update on reconcile.batch for each row
                when (new.worker_no in (\(former))) execute function team.expire();
                update reconcile.batch set lease = lease where look = 2
                """)
            await apple.production.arrival(of: 300 + 3 * 4)
            try await execute("drop function team.expire cascade")
        }
        gate.open()
        for worker in work { try await worker.value }
        #expect(try await tally() == [.verified: 150, .rejected(.notAuthentic): 150])
        #expect(pass.events.secondLooks == [SecondLook(users: 150, groups: 2)])
        let sent = try await pass.summary().requests.sent
        #expect(pass.events.warnings.contains { $0.contains("expired") } == isLost)
        #expect(isLost ? sent < apple.asks.count : sent == apple.asks.count)
        // No receipt twice in a look; a group has a quarter more controls than refused receipts.
        #expect(isLost || sent == 300 + 150 + 125 + 62)
        #expect(isLost || refused.allSatisfy { apple.asksByReceipt[$0] == 2 })
    }
}

/// To add a case: how many answers come before a worker is stopped; or a row with earlier attempts
/// of a batch, kills and stops.
@Suite("A resumed run", .database, .hangLimit)
struct ResumeTests: DatabaseSuite {
    /// How many receipts Apple answers before it answers nothing.
    private let limit = Shared(0)

    private func pass(
        limit: Int, users: Int = 24, usersPerBatch: Int = 5, inFlight: Int = 3,
        refusing refused: Set<String> = []
    ) async throws -> Pass {
        try await fill(users: users)
        self.limit.update { $0 = limit }
        let asked = Shared(0)
        let apple = try ScriptedApple { [limit = self.limit] ask in
            guard asked.update({ $0 += 1 }) <= limit.current else { return [.stall] }
            return [refused.contains(ask.receipt) ? .status(21003) : .verified()]
        }
        return try await Pass(database, apple, usersPerBatch: usersPerBatch, inFlight: inFlight)
    }

    private func stop(_ pass: Pass, after count: Int) async {
        let work = Task { try await pass.reconcile() }
        await pass.apple.production.arrival(of: count)
        work.cancel()
        await #expect(throws: (any Error).self) { try await work.value }
    }

    private func finish(_ pass: Pass) async throws -> Summary {
        limit.update { $0 = .max }
        return try await pass.finish()
    }

    @Test("No user whom a stopped worker recorded is requested again", arguments: [1, 7, 13, 20])
    func asksNoneAgain(stopAfter: Int) async throws {
        let pass = try await pass(limit: stopAfter)
        await stop(pass, after: stopAfter + 1)
        let recorded = try await texts("select receipt_id from reconcile.outcome")
        // All users except those in flight.
        #expect(recorded.count >= stopAfter - 2)
        let workers = "select distinct worker_no from reconcile.batch where done_at is null"
        #expect(try await texts(workers) == [nil])
        await #expect(throws: ControlsError.self) { try await pass.summary() }
        let asked = pass.apple.asks.count
        #expect(asked <= stopAfter + 3)
        let summary = try await finish(pass)
        let again = Set(pass.apple.asks.dropFirst(asked).map(\.receipt))
        #expect(recorded.allSatisfy { !again.contains(TestDatabase.receipt($0 ?? "")) })
        #expect(again.count == 24 - recorded.count)
        #expect([summary.receipts[.verified], summary.requests.sent] == [24, 24])
    }

    @Test("A user who was put off is requested again only in the second look")
    func postponed() async throws {
        let refused = Set.receipts([10, 100, 110])
        let pass = try await pass(limit: 60, users: 150, usersPerBatch: 40, refusing: refused)
        await stop(pass, after: 61)
        let postponed = "select user_id from reconcile.second_look order by user_id"
        #expect(try await texts(postponed) == ["u10", "u100", "u110"])
        let receipts = try await finish(pass).receipts
        #expect(refused.allSatisfy { pass.apple.asksByReceipt[$0] == 2 })
        #expect(receipts[.rejected] == 3)
        #expect(receipts[.verified] == 147)
    }

    @Test(
        "A batch whose workers ended in five attempts is skipped, unless they were stopped",
        arguments: [(attempts: 4, kills: 0, stops: 0), (5, 0, 0), (7, 0, 0), (0, 5, 0), (0, 0, 6)])
    func skipped(attempts: Int, kills: Int, stops: Int) async throws {
        // Killed workers must work on one batch.
        let usersPerBatch = kills > 0 ? 24 : 5
        let pass = try await pass(limit: 0, usersPerBatch: usersPerBatch, inFlight: 1)
        let attempt = "attempts = \(attempts), lease = \(attempts)"
        try await execute("update reconcile.batch set \(attempt) where batch_no = 1")
        for count in 1..<kills + 1 { try await kill(pass, at: count) }
        for count in 1..<stops + 1 { await stop(pass, after: count) }
        _ = try await finish(pass)
        let skipped = attempts + kills >= 5 ? usersPerBatch : 0
        let verified = 24 - skipped
        #expect(try await tally()[.verified] ?? 0 == verified)
        #expect(try await tally()[.unverified(.batchSetAside)] ?? 0 == skipped)
        #expect(pass.apple.asks.count == verified + kills + stops)
        let isNamed = pass.events.warnings.contains { $0.contains("attempts in a row ended") }
        #expect(isNamed == (skipped > 0))
    }

    @Test("A run is not joined by a worker with other settings")
    func join() async throws {
        let run = try await pass(limit: 0).run
        _ = try await database.workers.register(in: run.id, as: "first")
        let request = NightlyRun.Request(
            mode: .join, scope: .everything, asOf: nil, startedAt: .asOf, codeVersion: "test",
            settings: { _ in #"{"settle":"1s"}"# }, now: { .asOf })
        let night = NightlyRun(
            request, database: try await connect(), worker: { _ in throw CancellationError() },
            observe: { _ in })
        await #expect(throws: JoinRefusal(run: run.id)) {
            try await night.execute(publish: { _ in }, elsewhere: { _ in })
        }
    }
}
