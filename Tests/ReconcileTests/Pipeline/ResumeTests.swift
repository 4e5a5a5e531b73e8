import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A run that goes on", .timeLimit(.minutes(5)))
struct ResumeTests {
    private static let users = (1...24).map { "user\($0 + 100)" }

    @Test("asks about no receipt again whose answer was recorded", arguments: [1, 7, 13, 20])
    func asksNoneAgain(stopAfter: Int) async throws {
        try await Self.withUsers { test, database in
            let (answered, isHealed) = (Shared(0), Shared(false))
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
                try await test.texts("select receipt_id from reconcile.answer").compactMap(\.self))
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

    @Test("believes the refusals that were recorded, and asks for none of them again")
    func refusals() async throws {
        let users = (101...250).map { "user\($0)" }
        try await Self.with(users) { test, database in
            let (answered, isHealed) = (Shared(0), Shared(false))
            let refused = Set(["user103", "user104", "user120"].map { TestDatabase.receipt($0) })
            let apple = try ScriptedApple { ask in
                let count = answered.update { $0 += 1 }
                guard count <= 60 || isHealed.current else { return [.stall] }
                return [
                    .reply(
                        refused.contains(ask.receipt)
                            ? AppleAnswer.status(21003) : AppleAnswer.verified())
                ]
            }
            let pass = try await Pass(database, apple, usersPerBatch: 40, inFlight: 3)
            let first = Task { try await pass.reconcile() }
            await apple.production.arrival(of: 61)
            first.cancel()
            await #expect(throws: (any Error).self) { _ = try await first.value }
            let asked = apple.asks.count
            isHealed.update { $0 = true }
            // Another process: it knows of the first what is recorded.
            _ = try await pass.reconciler(over: database, apple).reconcile(pass.run, pass.plan)
            #expect(Set(apple.asks.dropFirst(asked).map(\.receipt)).isDisjoint(with: refused))
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 3)
            #expect(receipts.verified == users.count - 3)
        }
    }

    @Test("is worked on by several at once, and nothing is asked twice", arguments: [2, 4])
    func together(workers: Int) async throws {
        try await Self.withUsers { test, database in
            let apple = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
            let pass = try await Pass(database, apple, usersPerBatch: 2, inFlight: 2)
            var others: [Database] = []
            for _ in 1..<workers {
                others.append(try await Database.connect(test.url, connections: 3))
            }
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask { try await pass.reconcile() }
                for other in others {
                    group.addTask {
                        let worker = try await pass.reconciler(over: other, apple)
                        return try await worker.reconcile(pass.run, pass.plan)
                            .receiptsPastDeadline
                    }
                }
                try await group.waitForAll()
            }
            #expect(apple.asks.count == Self.users.count)
            #expect(try await pass.summary().receipts.verified == Self.users.count)
            for other in others { await other.close() }
        }
    }

    @Test("sets a batch aside that ended its workers, and the controls balance", arguments: [5, 7])
    func setAside(attempts: Int) async throws {
        try await Self.withUsers { test, database in
            let apple = try ScriptedApple { _ in [.reply(AppleAnswer.verified())] }
            let pass = try await Pass(database, apple, usersPerBatch: 5)
            // One of its answers was recorded before: it counts, unless even that ends a worker.
            let batch = try #require(
                try await database.leaseBatch(of: pass.run.id, for: 9, besides: []))
            let body = AppleAnswer.verified()
            var answer = RecordedAnswer.test(1, .verified, body: body)
            answer.body = AnswerBody(bytes: Array(body.utf8), server: .production)
            answer.question = try Self.digest(of: "user101", apple)
            _ = try await database.renew([batch], recording: [1: [answer]], of: pass.run.id)
            try await test.execute(
                """
                update reconcile.batch set attempts = \(attempts), leased_until = null
                where batch_no = 1
                """)
            try await pass.reconcile()
            let summary = try await pass.summary()
            let unverified = attempts == 5 ? 4 : 5
            #expect(summary.receipts.unverified == unverified)
            #expect(summary.receipts.verified == Self.users.count - unverified)
            #expect(apple.asks.count == Self.users.count - 5)
            let causes = try await test.texts(
                "select distinct cause from reconcile.outcome where outcome = 'unverified'")
            #expect(causes == ["batch_set_aside"])
            #expect(pass.warnings.contains { $0.contains("is set aside") } == (attempts == 5))
        }
    }

    @Test("is judged again from its answers, which a receipt may lack")
    func replay() async throws {
        try await Self.withUsers { test, database in
            let apple = try ScriptedApple { ask in
                ask.receipt == TestDatabase.receipt("user105")
                    ? [.reply(AppleAnswer.status(21003))] : [.reply(AppleAnswer.verified())]
            }
            let pass = try await Pass(database, apple, usersPerBatch: 5)
            try await pass.reconcile()
            let outcomes = try await pass.outcomes(test)
            try await database.finish(pass.run.id, as: .published, at: .asOf, keeping: .all)
            try await test.store(receipt: "new", of: "user110")
            let replay = Run(
                id: RunID(text: "20261121T020000Z-000002"), asOf: .asOf, scope: .everything,
                replayOf: pass.run.id)
            _ = try await database.open(replay, codeVersion: "test", settings: "{}")
            let plan = try await database.cutBatches(of: replay, usersPerBatch: 7)
            let asked = apple.asks.count
            _ = try await pass.reconciler.reconcile(replay, plan)
            #expect(apple.asks.count == asked)
            let replayed = try await test.texts(
                """
                select concat_ws(' ', receipt_id, outcome, cause, attempts) from reconcile.outcome
                where run_id = '\(replay.id)' order by receipt_id, 1
                """
            ).compactMap(\.self)
            #expect(replayed == ["new unverified no_evidence 0"] + outcomes)
            let isNight = try await test.texts(
                "select is_everything::text from reconcile.run order by run_id")
            #expect(isNight == ["true", "false"])
        }
    }

    private static func digest(of receipt: String, _ apple: ScriptedApple) throws -> [UInt8] {
        let validator = try AppStoreValidator.asking(apple)
        let data = ReceiptData(TestDatabase.receipt(receipt))
        guard case .ask(let question) = validator.course(of: data, storedFor: "acme") else {
            Issue.record("\(receipt) is no receipt")
            return []
        }
        return question.digest
    }

    /// A database with a receipt of each user.
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
