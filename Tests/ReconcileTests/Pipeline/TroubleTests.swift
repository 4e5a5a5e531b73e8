import Testing

@testable import Reconcile
@testable import TestSupport

/// Faults of PostgreSQL, and of the network to it, during a run.
@Suite("A run on a failing database", .database, .timeLimit(.minutes(10)))
struct DatabaseFaultTests: DatabaseSuite {
    enum Fault: CaseIterable {
        case terminatedSessions, cutConnections, lostCommits, silence, cancelledStatements
        case serializable

        func strike(_ test: TestDatabase, _ proxy: FaultProxy) async throws {
            switch self {
            case .cutConnections: proxy.cut()
            case .lostCommits: proxy.cutAfterCommits(2)
            case .silence: proxy.fallSilent()
            case .terminatedSessions, .serializable, .cancelledStatements:
                let fate = self == .cancelledStatements ? "cancel" : "terminate"
                let others = "datname = current_database() and pid <> pg_backend_pid()"
                let fall = "select pg_\(fate)_backend(pid) from pg_stat_activity where \(others)"
                try await test.execute(fall)
            }
        }
    }

    @Test("The run survives the fault and counts nothing twice", arguments: Fault.allCases)
    func survives(fault: Fault) async throws {
        try await fill(users: 40)
        let proxy = try FaultProxy(before: test.url)
        let asked = Shared(0)
        let refused = Set.receipts(1...3)
        let apple = try ScriptedApple { [test] ask in
            if asked.update({ $0 += 1 }) % 10 == 5 {
                Gate.blocking { try await fault.strike(test, proxy) }
            }
            return [refused.contains(ask.receipt) ? .status(21003) : .verified()]
        }
        if fault == .serializable {
            try await execute(
                "alter database \(test.name) set default_transaction_isolation = 'serializable'")
        }
        let retry = DatabaseRetry(giveUpAfter: .seconds(60), silenceLimit: .seconds(1)) { _ in }
        let failing = try await connect(through: proxy, connections: 3).with(retry: retry)
        let pass = try await Pass(failing, apple, usersPerBatch: 4, inFlight: 4)
        try await pass.reconcile()
        // Without the proxy, which may still be failing.
        let undisturbed = try await connect(connections: 3)
        let summary = try await undisturbed.summary(of: pass.run) { _ in .complete }
        #expect(summary.receipts.verified == 37 && summary.receipts.rejected == 3)
        #expect(apple.asks.count == summary.requests.sent)
        // The second look requests three receipts, ten controls and a quarter more.
        #expect(summary.requests.sent - summary.requests.retries == 40 + 3 + 12)
        let counts = "count(user_id), count(distinct user_id)"
        #expect(try await test.list(counts, of: "user_result") == "40 40")
        if fault == .lostCommits { #expect(proxy.commitsCut > 2) }
    }
}

/// Outages of Apple over real HTTP, by a clock that a test moves.
@Suite("A run during an outage", .database, .timeLimit(.minutes(10)))
struct OutageTests: DatabaseSuite {
    private static let users = 300

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
        try await fill(users: Self.users)
        let pass = try await Pass(database, apple, usersPerBatch: 50, inFlight: 16, clock: clock) {
            $0.rate = 10
            $0.burst = 10
            $0.maxAttempts = 6
            $0.backoff = .seconds(1)
            $0.receiptDeadline = .seconds(3_600)
            $0.outagePatience = .seconds(600)
        }
        let summary = try await clock.passing { try await pass.finish() }
        let changes = pass.paceChanges.map { "\($0)".prefix { $0 != "(" } }
        let outages = changes.filter { $0.hasPrefix("outage") }
        #expect([outages.first, outages.last] == ["outageBegan", "outageEnded"])
        #expect(changes.contains("rateHalved"))
        // Sixteen in flight, fifty until the breaker opens, and ten probes.
        #expect(sentInOutage.current < 100)
        #expect(summary.receipts.verified + summary.receipts.unverified == Self.users)
        #expect(summary.receipts.verified > Self.users * 9 / 10)
        let causes = ["verified", "unverified http_status", "unverified malformed_answer"]
        #expect(Set(try await tally().keys).isSubset(of: causes))
        #expect(try await findings() == "")
    }

    @Test("Requests for an app with a wrong secret stop, and other apps continue")
    func wrongSecret() async throws {
        let apple = try ScriptedApple { ask in
            [ask.password == "wrong" ? .status(21004) : .verified()]
        }
        for bundle in ["acme", "other"] {
            try await storeReceipts((1...60).map { ("\(bundle)-\($0)", "u\($0)") }, bundle: bundle)
        }
        let clock = ManualClock()
        let pass = try await Pass(
            database, apple, inFlight: 4, clock: clock, secrets: "acme = canary\nother = wrong")
        _ = try await clock.passing { try await pass.finish() }
        #expect(pass.paceChanges == [.bundleStopped("other", .sharedSecretRejected)])
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
        let isSilent = Shared(true)
        let apple = try ScriptedApple { [isSilent.current ? .reset : .valid($0)] }
        let pass = try await impatient(apple)
        // The worker with answers is alive, and the other one begins before it.
        _ = try await database.workers.register(in: pass.run.id, as: "answered")
        try await execute("update reconcile.worker set answered_at = now() + interval '1 hour'")
        let other = try await connect(connections: 3)
        await #expect(throws: WorkerCutOff.self) { try await pass.reconcile(over: other) }
        await other.close()
        isSilent.update { $0 = false }
        try await pass.reconcile()
        let tally = try await tally()
        // The requests that failed before the fiftieth answer, and those in flight by then.
        let failed = tally["unverified connection_failed"] ?? 0
        #expect(failed < 70)
        #expect(tally["verified"] == Self.users - failed)
    }

    @Test("If no worker gets an answer, enough stay in the run, even when one has just joined")
    func allCutOff() async throws {
        let pass = try await impatient(try ScriptedApple { _ in [.reset] })
        let workers = [database, try await connect(connections: 3)]
        _ = try await connect().workers.register(in: pass.run.id, as: "newcomer")
        let work = workers.map { worker in Task { try await pass.reconcile(over: worker) } }
        var stayed = 0
        for worker in work where (try? await worker.value) != nil { stayed += 1 }
        #expect(stayed > 0)
        #expect(try await pass.summary().receipts.unverified == Self.users)
    }
}

/// Apple refuses genuine receipts. Serialized, since PostgreSQL limits the number of connections.
@Suite("The second look during wrong refusals", .database, .serialized, .timeLimit(.minutes(10)))
struct StormTests: DatabaseSuite {
    private static let users = 240

    /// Refuses this share of the requests with these numbers, from 1.
    private func storm(
        _ percent: Int, _ requests: ClosedRange<Int>, seed: UInt64 = 1, forged: Set<String> = []
    ) async throws -> Pass {
        let answered = Shared(0)
        let apple = try ScriptedApple { ask in
            let number = answered.update { $0 += 1 }
            if forged.contains(ask.receipt) { return [.status(21003)] }
            let other = UInt64(ask.lot) &* 7_919 &+ UInt64(ask.attempt) &* 104_729
            var random = SeededGenerator(seed &+ other)
            let isRefused = Int.random(in: 0..<100, using: &random) < percent
            guard isRefused, requests.contains(number) else { return [.valid(ask)] }
            return [.status(ask.lot % 2 == 0 ? 21003 : 21010)]
        }
        try await fill(users: Self.users)
        return try await Pass(database, apple, usersPerBatch: 50, inFlight: 16)
    }

    @Test(
        "If the refusals end by the second look, or during it, only forged receipts are rejected",
        arguments: [(5, 0), (45, 0), (100, 0), (45, 3), (100, 3)],
        [1...80, 81...160, 161...240, 200...255])
    func over(setting: (percent: Int, forged: Int), requests: ClosedRange<Int>) async throws {
        let numbers = [177, 7, 77].prefix(setting.forged)
        let forged = Set.receipts(numbers)
        let pass = try await storm(setting.percent, requests, forged: forged)
        try await pass.finish()
        let outcomes = ["verified": 240 - forged.count, "rejected not_authentic": forged.count]
        #expect(try await tally() == outcomes.filter { $0.value > 0 })
        let accused = try await test.list("user_id", of: "finding group by 1")
        #expect(accused == numbers.map { "u\($0)" }.joined(separator: ", "))
        #expect(!pass.told("secondLook").isEmpty || setting.percent == 5)
        // Apple verifies the others in the second look, so there is a third, and no fourth.
        let asks = pass.apple.asksByReceipt
        #expect(forged.allSatisfy { asks[$0] == 3 })
    }

    /// With some seeds a receipt is refused three times.
    private static let storms: [(percent: Int, first: Int, seed: UInt64)] =
        [5, 45, 100].flatMap { percent in [1, 121, 200, 241].map { (percent, $0, 1) } }
        + [3, 10, 11, 15, 53].map { (10, 1, $0) }

    @Test("If the refusals last, no receipt is rejected and no user is accused", arguments: storms)
    func lasting(percent: Int, first: Int, seed: UInt64) async throws {
        let receipts = try await storm(percent, first...Int.max, seed: seed).finish().receipts
        #expect(receipts.rejected == 0)
        #expect(receipts.verified + receipts.unverified == Self.users)
        #expect(try await findings() == "")
        let outcomes = Set(try await tally().keys)
        #expect(outcomes.isSubset(of: ["verified", "unverified refusal_unconfirmed"]))
    }
}
