import Testing

@testable import Reconcile
@testable import TestSupport

/// Outages of Apple over real HTTP, by a clock that a test moves.
@Suite("A run during an outage", .timeLimit(.minutes(10)))
struct OutageTests {
    private static let page = LoopbackServer.Act.reply(
        "<html><body>Connecting to the iTunes Store</body></html>")

    @Test("The run pauses while Apple fails, resumes when it is back, and accuses no user")
    func replay() async throws {
        let clock = ManualClock()
        // The outage of 24 January 2020 in short: for a time 45 % of the calls fail, then all are
        // answered with a web page, then all succeed.
        let sentInOutage = Shared(0)
        let apple = try ScriptedApple { ask in
            switch clock.now.sinceStart {
            case ..<Duration.seconds(10):
                let isLucky = (ask.lot + ask.attempt * 17) % 100 >= 45
                return isLucky ? [OutageScene.valid(ask)] : [.reply(status: "503 No", "")]
            case ..<Duration.seconds(300):
                sentInOutage.update { $0 += 1 }
                return [Self.page]
            default: return [OutageScene.valid(ask)]
            }
        }
        try await OutageScene.night(apple, clock) { test, pass in
            let outages = pass.paceChanges.filter(\.isOutage)
            guard case .outageBegan = outages.first, case .outageEnded = outages.last else {
                Issue.record("unexpected \(outages)")
                return
            }
            #expect(pass.paceChanges.contains { $0.isHalving })
            // Sixteen in flight, fifty until the breaker opens, and ten probes.
            #expect(sentInOutage.current < 100)
            let receipts = try await pass.summary().receipts
            #expect(receipts.verified + receipts.unverified == OutageScene.users)
            #expect(receipts.verified > OutageScene.users * 9 / 10)
            #expect(try await pass.findings(test) == [])
            let causes = Set(
                try await pass.outcomes(test).map { $0.split(separator: " ")[1...] }
                    .map { $0.dropLast().joined(separator: " ") })
            #expect(
                causes.subtracting([
                    "verified", "unverified http_status", "unverified malformed_answer",
                ]).isEmpty)
        }
    }

    @Test("Receipts left after an outage longer than the patience are unverified")
    func gaveUp() async throws {
        let clock = ManualClock()
        let apple = try ScriptedApple { _ in [.reply(status: "503 No", "")] }
        try await OutageScene.night(apple, clock, patience: .seconds(120)) { test, pass in
            #expect(pass.paceChanges.filter(\.isOutage).count == 2)
            guard case .outageOutlasted(let time) = pass.paceChanges.last else {
                Issue.record("unexpected \(pass.paceChanges)")
                return
            }
            #expect(time >= .seconds(120))
            let summary = try await pass.summary()
            #expect(summary.receipts.unverified == OutageScene.users)
            #expect(summary.entitlements.unverified == OutageScene.users)
            #expect(summary.requests.sent == apple.asks.count && apple.asks.count < 90)
            #expect(summary.requests.answered == summary.requests.sent)
            #expect(try await pass.findings(test) == [])
            let left = try await test.texts(
                "select count(*)::text from reconcile.outcome where cause = 'outage'")
            #expect(Int(left[0] ?? "") ?? 0 > OutageScene.users - 40)
        }
    }

    @Test("Requests for an app with a wrong secret stop, and other apps continue")
    func wrongSecret() async throws {
        let clock = ManualClock()
        let apple = try ScriptedApple { ask in
            ask.password == "wrong"
                ? [.reply(AppleAnswer.status(21004))] : [.reply(AppleAnswer.verified())]
        }
        try await TestDatabase.connected { test, database in
            let users = (1...60).map { "u\($0)" }
            try await OutageScene.store(
                users.map { ("a-\($0)", $0, "acme") } + users.map { ("b-\($0)", $0, "other") },
                in: test)
            let pass = try await Pass(
                database, apple, inFlight: 4, clock: clock, secrets: "acme = canary\nother = wrong")
            _ = try await clock.passing { try await pass.reconcile() }
            #expect(pass.paceChanges == [.bundleStopped("other", .sharedSecretRejected)])
            let receipts = try await pass.summary().receipts
            #expect(receipts.verified == 60 && receipts.unverified == 60)
            // Twenty answers, and the requests in flight by then.
            #expect((20...23).contains(apple.asks.count { $0.password == "wrong" }))
            let causes = try await test.texts(
                "select distinct concat_ws(' ', outcome, cause) from reconcile.outcome order by 1")
            #expect(causes == ["unverified shared_secret_rejected", "verified"])
            #expect(try await pass.findings(test) == [])
        }
    }

    @Test("A worker that alone gets no answer leaves its users to the other workers")
    func cutOff() async throws {
        try await TestDatabase.connected { test, database in
            try await OutageScene.fill(test, users: OutageScene.users)
            let apple = try ScriptedApple { [OutageScene.valid($0)] }
            let pass = try await Pass(database, apple, usersPerBatch: 50)
            // The worker with answers is alive, and the other one begins before it.
            _ = try await database.workers.register(in: pass.run.id, as: "answered")
            try await test.execute(
                "update reconcile.worker set answered_at = now() + interval '1 hour'")
            let other = try await Database.connect(test.url, connections: 3)
            let worker = try await pass.worker(
                over: other, try ScriptedApple { _ in [.reset] }, inFlight: 16,
                change: OutageScene.impatient)
            await #expect(throws: WorkerCutOff.self) { try await worker.drain(pass.plan) }
            await other.close()
            try await pass.reconcile()
            let causes = try await test.texts(
                "select distinct cause from reconcile.outcome where cause is not null")
            #expect(Set(causes).isSubset(of: ["connection_failed"]))
            let receipts = try await pass.summary().receipts
            // The requests that failed before the fiftieth answer, and those in flight by then.
            #expect(receipts.unverified < 70)
            #expect(receipts.verified + receipts.unverified == OutageScene.users)
        }
    }

    @Test("If no worker gets an answer enough of them stay, even when one has just joined")
    func allCutOff() async throws {
        try await TestDatabase.connected { test, database in
            try await OutageScene.fill(test, users: OutageScene.users)
            let apple = try ScriptedApple { _ in [.reset] }
            let pass = try await Pass(
                database, apple, usersPerBatch: 50, inFlight: 16, change: OutageScene.impatient)
            let other = try await Database.connect(test.url, connections: 3)
            let second = try await pass.worker(
                over: other, apple, inFlight: 16, change: OutageScene.impatient)
            let newcomer = try await Database.connect(test.url, connections: 1)
            _ = try await newcomer.workers.register(in: pass.run.id, as: "newcomer")
            let workers = [pass.worker, second]
            let ends = await withTaskGroup(of: Bool.self) { group in
                for worker in workers {
                    group.addTask { (try? await worker.drain(pass.plan)) != nil }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(ends.contains(true))
            await other.close()
            await newcomer.close()
            #expect(try await pass.summary().receipts.unverified == OutageScene.users)
        }
    }
}

extension PaceChange {
    fileprivate var isOutage: Bool {
        switch self {
        case .outageBegan, .outageEnded, .outageOutlasted: true
        default: false
        }
    }

    fileprivate var isHalving: Bool {
        if case .rateHalved = self { return true }
        return false
    }
}
