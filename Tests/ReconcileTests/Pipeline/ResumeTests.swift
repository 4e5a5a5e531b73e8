import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A resumed run", .timeLimit(.minutes(10)))
struct ResumeTests {
    private static let users = (1...24).map { "user\($0 + 100)" }

    @Test("A recorded user is not requested again", arguments: [1, 7, 13, 20])
    func asksNoneAgain(stopAfter: Int) async throws {
        try await Self.withUsers { test, database in
            let answered = Shared(0)
            let isHealed = Shared(false)
            let apple = try ScriptedApple { ask in
                let count = answered.update { $0 += 1 }
                guard count <= stopAfter || isHealed.current else { return [.stall] }
                return [.reply(AppleAnswer.verified())]
            }
            let pass = try await Pass(database, apple, usersPerBatch: 5, inFlight: 3)
            let first = Task { try await pass.reconcile() }
            await apple.production.arrival(of: stopAfter + 1)
            first.cancel()
            await #expect(throws: (any Error).self) { _ = try await first.value }
            let recorded = Set(
                try await test.texts("select user_id from reconcile.user_result").compactMap(\.self)
            )
            // All users except those in flight.
            #expect(recorded.count >= stopAfter - 2)
            let asked = apple.asks.count
            isHealed.update { $0 = true }
            try await pass.reconcile()
            let again = Set(apple.asks.dropFirst(asked).map(\.receipt))
            #expect(recorded.allSatisfy { !again.contains(TestDatabase.receipt($0)) })
            #expect(again.count == Self.users.count - recorded.count)
            let summary = try await pass.summary()
            #expect(summary.receipts.verified == Self.users.count)
            #expect(summary.requests.sent == Self.users.count)
        }
    }

    @Test("A user who was put off is requested again only in the second look")
    func postponed() async throws {
        let users = (101...250).map { "user\($0)" }
        try await Self.with(users) { test, database in
            let answered = Shared(0)
            let isHealed = Shared(false)
            let refused = Set(["user103", "user104", "user120"].map { TestDatabase.receipt($0) })
            let apple = try ScriptedApple { ask in
                let count = answered.update { $0 += 1 }
                guard count <= 60 || isHealed.current else { return [.stall] }
                let isRefused = refused.contains(ask.receipt)
                return [.reply(isRefused ? AppleAnswer.status(21003) : AppleAnswer.verified())]
            }
            let pass = try await Pass(database, apple, usersPerBatch: 40, inFlight: 3)
            let first = Task { try await pass.reconcile() }
            await apple.production.arrival(of: 61)
            first.cancel()
            await #expect(throws: (any Error).self) { _ = try await first.value }
            let postponed = try await test.texts(
                "select user_id from reconcile.second_look order by 1")
            #expect(postponed == ["user103", "user104", "user120"])
            isHealed.update { $0 = true }
            _ = try await pass.worker(over: database, apple).drain(pass.plan)
            for receipt in refused { #expect(apple.asks.count { $0.receipt == receipt } == 2) }
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 3)
            #expect(receipts.verified == users.count - 3)
        }
    }

    @Test("Several workers share the run, and no receipt is requested twice", arguments: [2, 4])
    func together(workers: Int) async throws {
        try await Self.withUsers { test, database in
            let apple = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
            let pass = try await Pass(database, apple, usersPerBatch: 2, inFlight: 2)
            try await pass.reconcile(besides: workers - 1, of: test, apple)
            #expect(apple.asks.count == Self.users.count)
            #expect(try await pass.summary().receipts.verified == Self.users.count)
        }
    }

    @Test(
        "A batch that ended its workers is skipped after five attempts", arguments: [4, 5, 7])
    func skipped(attempts: Int) async throws {
        try await Self.withUsers { test, database in
            let apple = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
            let pass = try await Pass(database, apple, usersPerBatch: 5)
            try await test.execute(
                """
                update reconcile.batch set attempts = \(attempts), lease = \(attempts)
                where batch_no = 1
                """)
            try await pass.reconcile()
            let summary = try await pass.summary()
            let unverified = attempts < 5 ? 0 : 5
            #expect(summary.receipts.unverified == unverified)
            #expect(summary.receipts.verified == Self.users.count - unverified)
            #expect(apple.asks.count == Self.users.count - unverified)
            let causes = try await test.texts(
                "select distinct cause from reconcile.outcome where outcome = 'unverified'")
            #expect(causes == (attempts < 5 ? [] : ["batch_set_aside"]))
            let isTold = pass.warnings.contains { $0.contains("attempts in a row ended") }
            #expect(isTold == (attempts >= 5))
        }
    }

    @Test("A batch that makes progress is never skipped, however often its workers are killed")
    func progress() async throws {
        try await Self.withUsers { test, database in
            let answered = Shared(0)
            let stopsAt = Shared(0)
            let apple = try ScriptedApple { _ in
                let count = answered.update { $0 += 1 }
                return count > stopsAt.current ? [.stall] : [.reply(AppleAnswer.verified())]
            }
            let pass = try await Pass(database, apple)
            #expect(pass.plan.batches == 1)
            for kill in 1...10 {
                // Two more users are recorded, and the third ends the worker.
                stopsAt.update { $0 = answered.current + 2 }
                let victim = try await Victim(of: pass, in: test, apple, inFlight: 1)
                while try await test.texts("select count(*) from reconcile.user_result")
                    != ["\(2 * kill)"]
                {}
                await victim.kill()
            }
            stopsAt.update { $0 = .max }
            try await pass.reconcile()
            #expect(try await pass.summary().receipts.verified == Self.users.count)
            #expect(pass.warnings.isEmpty)
        }
    }

    @Test("A batch is not skipped because its workers were stopped")
    func stopped() async throws {
        try await Self.withUsers { test, database in
            let isHealed = Shared(false)
            let apple = try ScriptedApple { _ in
                isHealed.current ? [.reply(AppleAnswer.verified())] : [.stall]
            }
            let pass = try await Pass(database, apple, inFlight: 1)
            for stop in 1...6 {
                let work = Task { try await pass.reconcile() }
                await apple.production.arrival(of: stop)
                work.cancel()
                await #expect(throws: (any Error).self) { try await work.value }
            }
            isHealed.update { $0 = true }
            try await pass.reconcile()
            #expect(try await pass.summary().receipts.verified == Self.users.count)
            #expect(pass.warnings.isEmpty)
        }
    }

    @Test("A batch of which no user is ever recorded is skipped after five kills")
    func noProgress() async throws {
        try await Self.withUsers { test, database in
            let apple = try ScriptedApple { _ in [.stall] }
            let pass = try await Pass(database, apple)
            for kill in 1...5 {
                let victim = try await Victim(of: pass, in: test, apple, inFlight: 1)
                await apple.production.arrival(of: kill)
                await victim.kill()
            }
            try await pass.reconcile()
            #expect(try await pass.summary().receipts.unverified == Self.users.count)
            #expect(apple.asks.count == 5)
        }
    }

    @Test("A replay judges the kept answers again, and works if one is missing")
    func replay() async throws {
        try await Self.withUsers { test, database in
            let apple = try ScriptedApple { ask in
                ask.receipt == TestDatabase.receipt("user105")
                    ? [.reply(AppleAnswer.status(21003))] : [.reply(AppleAnswer.verified())]
            }
            let pass = try await Pass(database, apple, usersPerBatch: 5, evidence: .all)
            try await pass.reconcile()
            let outcomes = try await pass.outcomes(test)
            #expect(outcomes.contains("user105 rejected not_authentic 1"))
            try await database.ledger.publish(pass.run.id, at: .asOf, under: nil)
            try await test.store(receipt: "new", of: "user110")
            let asked = apple.asks.count
            let replay = try await Pass(
                database, apple, usersPerBatch: 7, night: 2, replayOf: pass.run.id)
            try await replay.reconcile()
            #expect(apple.asks.count == asked)
            let replayed = try await test.texts(
                """
                select concat_ws(' ', receipt_id, outcome, cause, attempts) from reconcile.outcome
                where run_id = '\(replay.run.id)' order by receipt_id, 1
                """
            ).compactMap(\.self)
            #expect(replayed == ["new unverified no_evidence 0"] + outcomes)
            let isNight = try await test.texts(
                "select makes_history::text from reconcile.run order by run_id")
            #expect(isNight == ["true", "false"])
        }
    }

    static func withUsers(
        _ body: (TestDatabase, Database) async throws -> Void
    ) async throws { try await with(users, body) }

    private static func with(
        _ users: [String], _ body: (TestDatabase, Database) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            for user in users { try await test.store(receipt: user, of: user) }
            try await body(test, database)
        }
    }
}
