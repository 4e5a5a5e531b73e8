import Testing

@testable import Reconcile
@testable import TestSupport

/// Outages of Apple over real HTTP, by a clock that a test moves.
@Suite("A run during an outage", .database, .timeLimit(.minutes(10)))
struct OutageTests: DatabaseSuite {
    private static let users = 300

    private func night(
        _ apple: ScriptedApple, _ clock: ManualClock, patience: Duration
    ) async throws -> Pass {
        try await fill(users: Self.users)
        let pass = try await Pass(database, apple, usersPerBatch: 50, inFlight: 16, clock: clock) {
            $0.rate = 10
            $0.burst = 10
            $0.maxAttempts = 6
            $0.backoff = .seconds(1)
            $0.receiptDeadline = .seconds(3_600)
            $0.outagePatience = patience
        }
        try await clock.passing { try await pass.reconcile() }
        return pass
    }

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
                return [isLucky ? .valid(ask) : .reply(status: "503 No", "")]
            case ..<Duration.seconds(300):
                sentInOutage.update { $0 += 1 }
                return [.reply("<html><body>Connecting to the iTunes Store</body></html>")]
            default: return [.valid(ask)]
            }
        }
        let pass = try await night(apple, clock, patience: .seconds(600))
        let changes = pass.paceChanges.map(\.name)
        let outages = changes.filter { $0.hasPrefix("outage") }
        #expect(outages.first == "outageBegan" && outages.last == "outageEnded")
        #expect(changes.contains("rateHalved"))
        // Sixteen in flight, fifty until the breaker opens, and ten probes.
        #expect(sentInOutage.current < 100)
        let receipts = try await pass.summary().receipts
        #expect(receipts.verified + receipts.unverified == Self.users)
        #expect(receipts.verified > Self.users * 9 / 10)
        #expect(try await findings() == "")
        let causes = ["verified", "unverified http_status", "unverified malformed_answer"]
        #expect(Set(try await tally().keys).isSubset(of: causes))
    }

    @Test("Receipts left after an outage longer than the patience are unverified")
    func gaveUp() async throws {
        let apple = try ScriptedApple { _ in [.reply(status: "503 No", "")] }
        let pass = try await night(apple, ManualClock(), patience: .seconds(120))
        #expect(pass.paceChanges.count { $0.name.hasPrefix("outage") } == 2)
        guard case .outageOutlasted(let time) = pass.paceChanges.last else {
            Issue.record("unexpected \(pass.paceChanges)")
            return
        }
        #expect(time >= .seconds(120))
        let summary = try await pass.summary()
        #expect(summary.receipts.unverified == Self.users)
        #expect(summary.entitlements.unverified == Self.users)
        #expect(summary.requests.sent == apple.asks.count && apple.asks.count < 90)
        #expect(summary.requests.answered == summary.requests.sent)
        #expect(try await findings() == "")
        #expect(try await tally()["unverified outage"] ?? 0 > Self.users - 40)
    }

    @Test("Requests for an app with a wrong secret stop, and other apps continue")
    func wrongSecret() async throws {
        let apple = try ScriptedApple { ask in
            [ask.password == "wrong" ? .status(21004) : .verified()]
        }
        for (prefix, bundle) in [("a", "acme"), ("b", "other")] {
            try await storeReceipts(
                (1...60).map { (id: "\(prefix)-\($0)", user: "u\($0)") }, bundle: bundle)
        }
        let clock = ManualClock()
        let pass = try await Pass(
            database, apple, inFlight: 4, clock: clock, secrets: "acme = canary\nother = wrong")
        try await clock.passing { try await pass.reconcile() }
        #expect(pass.paceChanges == [.bundleStopped("other", .sharedSecretRejected)])
        let receipts = try await pass.summary().receipts
        #expect(receipts.verified == 60 && receipts.unverified == 60)
        // Twenty answers, and the requests in flight by then.
        #expect((20...23).contains(apple.asks.count { $0.password == "wrong" }))
        #expect(try await tally() == ["unverified shared_secret_rejected": 60, "verified": 60])
        #expect(try await findings() == "")
    }

    /// An outage is detected and given up quickly.
    private func impatient(_ apple: ScriptedApple) async throws -> Pass {
        try await fill(users: Self.users)
        return try await Pass(database, apple, usersPerBatch: 50, inFlight: 16) {
            $0.maxAttempts = 1
            $0.outagePatience = .milliseconds(50)
        }
    }

    @Test("A worker that alone gets no answer leaves its users to the other workers")
    func cutOff() async throws {
        let pass = try await impatient(try ScriptedApple { [.valid($0)] })
        // The worker with answers is alive, and the other one begins before it.
        _ = try await database.workers.register(in: pass.run.id, as: "answered")
        try await execute("update reconcile.worker set answered_at = now() + interval '1 hour'")
        let other = try await connect(connections: 3)
        let silent = try ScriptedApple { _ in [.reset] }
        await #expect(throws: WorkerCutOff.self) {
            try await pass.reconcile(over: other, asking: silent)
        }
        await other.close()
        try await pass.reconcile()
        let outcomes = Set(try await tally().keys)
        #expect(outcomes.isSubset(of: ["verified", "unverified connection_failed"]))
        let receipts = try await pass.summary().receipts
        // The requests that failed before the fiftieth answer, and those in flight by then.
        #expect(receipts.unverified < 70)
        #expect(receipts.verified + receipts.unverified == Self.users)
    }

    @Test("If no worker gets an answer enough of them stay, even when one has just joined")
    func allCutOff() async throws {
        let pass = try await impatient(try ScriptedApple { _ in [.reset] })
        let workers = [database, try await connect(connections: 3)]
        _ = try await connect().workers.register(in: pass.run.id, as: "newcomer")
        let ends = await withTaskGroup(of: Bool.self) { group in
            for worker in workers {
                group.addTask { (try? await pass.reconcile(over: worker)) != nil }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.contains(true))
        #expect(try await pass.summary().receipts.unverified == Self.users)
    }
}

extension PaceChange {
    /// Without its values.
    fileprivate var name: String { String("\(self)".prefix { $0 != "(" }) }
}
