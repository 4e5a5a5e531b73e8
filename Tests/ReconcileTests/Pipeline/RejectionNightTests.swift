import Testing

@testable import Reconcile
@testable import TestSupport

/// Nights in which Apple refuses receipts, some or all, over real HTTP.
@Suite("A reconciliation in a storm of rejections", .timeLimit(.minutes(5)))
struct RejectionNightTests {
    @Test("believes no storm of 21003 or 21010, not even those before it was seen")
    func storm() async throws {
        let clock = ManualClock()
        // The first hundred are well; then two of three receipts are refused, over and over.
        let apple = try ScriptedApple { ask in
            let isRefused = clock.now.sinceStart > .seconds(10) && ask.lot % 3 > 0
            guard isRefused else { return [OutageScene.valid(ask)] }
            return [.reply(AppleAnswer.status(ask.lot % 2 == 0 ? 21010 : 21003))]
        }
        try await OutageScene.night(apple, clock, patience: .seconds(60)) { test, pass in
            #expect(pass.paceChanges.contains(.rejectionsDoubted))
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 0)
            #expect(receipts.verified > 0 && receipts.unverified > OutageScene.users / 4)
            #expect(try await pass.findings(test) == [])
        }
    }

    /// So many answers in a row, after so many others, in a night of so many receipts.
    struct ShortStorm: Sendable {
        let answers: Int
        let before: Int
        let receipts: Int
    }

    @Test(
        "believes no short storm either",
        arguments: [
            ShortStorm(answers: 40, before: 0, receipts: 300),
            ShortStorm(answers: 40, before: 90, receipts: 300),
            ShortStorm(answers: 30, before: 0, receipts: 1_200),
            ShortStorm(answers: 30, before: 600, receipts: 1_200),
            ShortStorm(answers: 40, before: 600, receipts: 1_200),
            ShortStorm(answers: 40, before: 1_140, receipts: 1_200),
        ])
    func shortStorm(_ storm: ShortStorm) async throws {
        let (clock, answers) = (ManualClock(), Shared(0))
        let apple = try ScriptedApple { ask in
            let number = answers.update { $0 += 1 }
            let isCalm = number <= storm.before || number > storm.before + storm.answers
            return isCalm ? [OutageScene.valid(ask)] : [.reply(AppleAnswer.status(21003))]
        }
        try await OutageScene.night(apple, clock, users: storm.receipts) { test, pass in
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 0)
            #expect(receipts.verified + receipts.unverified == storm.receipts)
            #expect(try await pass.findings(test) == [])
            // So that a replay does not believe them either.
            let kept = try await test.texts(
                "select count(*)::text from reconcile.answer where outcome = 'rejected'")
            #expect(kept == ["0"])
        }
    }

    @Test("believes no storm that begins with the last receipts", arguments: [14, 24])
    func lastReceipts(_ count: Int) async throws {
        let (clock, asked) = (ManualClock(), Shared(Set<String>()))
        let apple = try ScriptedApple { ask in
            let receipts = asked.update { $0.insert(ask.receipt) }
            return receipts.count <= 1_200 - count
                ? [OutageScene.valid(ask)] : [.reply(AppleAnswer.status(21003))]
        }
        try await OutageScene.night(apple, clock, users: 1_200) { test, pass in
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 0)
            #expect(try await pass.findings(test) == [])
        }
    }

    @Test("believes that a few receipts are refused, even if they are the first")
    func fewRefusals() async throws {
        let clock = ManualClock()
        let refused = Set((1...5).map { TestDatabase.receipt("r\($0)", bundle: "acme") })
        let apple = try ScriptedApple { ask in
            refused.contains(ask.receipt)
                ? [.reply(AppleAnswer.status(21003))] : [OutageScene.valid(ask)]
        }
        try await OutageScene.night(apple, clock) { _, pass in
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 5 && receipts.verified == OutageScene.users - 5)
        }
    }

    @Test("believes few refusals too when all come a second time together, at the end")
    func togetherAtTheEnd() async throws {
        let clock = ManualClock()
        // One receipt in fifty. No backoff ends before all have been asked once.
        let (asked, refused) = (Shared(0), Shared(Set<String>()))
        let apple = try ScriptedApple { ask in
            if ask.attempt == 1, asked.update({ $0 += 1 }).isMultiple(of: 50) {
                refused.update { $0.insert(ask.receipt) }
            }
            return refused.current.contains(ask.receipt)
                ? [.reply(AppleAnswer.status(21003))] : [OutageScene.valid(ask)]
        }
        let isTime: @Sendable () -> Bool = { asked.current == 1_500 }
        try await OutageScene.night(
            apple, clock, users: 1_500, usersPerBatch: 500, burst: 2_000, inFlight: 64,
            standingStillUntil: isTime
        ) { _, pass in
            #expect(pass.paceChanges.isEmpty)
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 30 && receipts.verified == 1_470)
        }
    }

    @Test("believes them too when another process goes on after they have come together")
    func recalled() async throws {
        let (clock, isHealed) = (ManualClock(), Shared(false))
        let (asked, refused) = (Shared(0), Shared(Set<String>()))
        let apple = try ScriptedApple { ask in
            let number = ask.attempt == 1 ? asked.update { $0 += 1 } : 0
            if number == 1_500, !isHealed.current { return [.stall] }
            if number > 0, number.isMultiple(of: 50) { refused.update { $0.insert(ask.receipt) } }
            return refused.current.contains(ask.receipt)
                ? [.reply(AppleAnswer.status(21003))] : [OutageScene.valid(ask)]
        }
        try await TestDatabase.connected { test, database in
            try await OutageScene.fill(test, users: 1_500)
            let pass = try await Pass(
                database, apple, usersPerBatch: 500, inFlight: 64, clock: clock,
                wallClock: Shared(.asOf)
            ) { $0.burst = 2_000 }
            let first = Task { try await pass.reconcile() }
            while asked.current < 1_500 { try await Task.sleep(for: .milliseconds(1)) }
            let passing = Task { _ = try await clock.passing { try await first.value } }
            var recorded = 0
            while recorded < 29 {
                recorded = try await test.texts(
                    "select 1::text from reconcile.answer where cause = 'not_authentic'"
                ).count
            }
            first.cancel()
            passing.cancel()
            _ = await first.result
            isHealed.update { $0 = true }
            _ = try await pass.reconciler(over: database, apple).reconcile(pass.run, pass.plan)
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 29 && receipts.verified == 1_471)
        }
    }

    @Test("believes no storm that a worker saw whose batch is taken over while others work")
    func takenOver() async throws {
        let gate = Gate()
        let apple = try ScriptedApple { ask in
            gate.wait()
            return [OutageScene.valid(ask)]
        }
        try await TestDatabase.connected { test, database in
            try await OutageScene.fill(test, users: OutageScene.users)
            let pass = try await Pass(database, apple, usersPerBatch: 50, inFlight: 16)
            // Of a worker that is no more, of whose storm nothing is recorded yet.
            let batch = try #require(
                try await database.leaseBatch(of: pass.run.id, for: 9, besides: []))
            let work = Task { try await pass.reconcile() }
            await apple.production.arrival(of: 1)
            let users = (1...OutageScene.users).map { "u\($0)" }.sorted().prefix(20)
            let refusals = try users.enumerated().map { number, user in
                var answer = RecordedAnswer.test(1, .rejected(.notAuthentic))
                answer.question = try OutageScene.digest(of: "r" + user.dropFirst())
                let instant = Instant(milliseconds: Instant.asOf.milliseconds + 1 + Int64(number))
                (answer.attempts.answeredAt, answer.attempts.refusedAt) = (instant, instant)
                return answer
            }
            _ = try await database.renew([batch], recording: [1: refusals], of: pass.run.id)
            gate.open()
            _ = try await work.value
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 0 && receipts.unverified == 20)
            #expect(try await pass.findings(test) == [])
        }
    }
}
