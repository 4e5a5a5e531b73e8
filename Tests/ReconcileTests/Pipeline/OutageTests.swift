import Testing

@testable import Reconcile
@testable import TestSupport

/// Nights in which Apple fails, over real HTTP, by a clock that a test moves.
@Suite("A reconciliation in an outage", .timeLimit(.minutes(5)))
struct OutageTests {
    private static let users = 300

    /// A user's receipt proves what the service grants; without an answer the grant would look
    /// like a leak.
    private static func fill(_ test: TestDatabase, users: Int) async throws {
        try await test.sell("pro.monthly")
        try await test.execute(
            """
            insert into team.entitlements
            select 'e' || n, 'u' || n, 'pro.monthly', null, true, '2026-12-10T02:00:00Z', null,
                null, 'app_store', '2026-10-01T00:00:00Z'
            from generate_series(1, \(users)) as n;
            """)
        try await store((1...users).map { ("r\($0)", "u\($0)", "acme") }, in: test)
    }

    /// Receipts as id, user and bundle, in one statement.
    private static func store(
        _ receipts: [(String, String, String)], in test: TestDatabase
    ) async throws {
        let rows = receipts.map { id, user, bundle in
            let receipt = TestDatabase.receipt(id, bundle: bundle)
            return "('\(id)', '\(user)', '\(bundle)', '\(receipt)', '2026-11-01T00:00:00Z')"
        }
        try await test.execute(
            "insert into team.receipts values \(rows.joined(separator: ", "))")
    }

    private static func valid(_ ask: ScriptedApple.Ask) -> LoopbackServer.Act {
        .reply(AppleAnswer.verified([AppleAnswer.period(ask.chain, from: -10, to: 20)]))
    }
    private static let page = LoopbackServer.Act.reply(
        "<html><body>Connecting to the iTunes Store</body></html>")

    private static func night(
        _ apple: ScriptedApple, _ clock: ManualClock, patience: Duration = .seconds(600),
        users: Int = users, usersPerBatch: Int = 50, burst: Int = 10, inFlight: Int = 16,
        standingStillUntil isTime: @Sendable () -> Bool = { true },
        _ body: (TestDatabase, Pass) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await fill(test, users: users)
            let pass = try await Pass(
                database, apple, usersPerBatch: usersPerBatch, inFlight: inFlight,
                clock: clock
            ) {
                ($0.rate, $0.burst, $0.maxAttempts) = (10, burst, 6)
                ($0.backoff, $0.receiptDeadline) = (.seconds(1), .seconds(3_600))
                $0.outagePatience = patience
            }
            let work = Task { try await pass.reconcile() }
            while !isTime() { try await Task.sleep(for: .milliseconds(1)) }
            _ = try await clock.passing { try await work.value }
            try await body(test, pass)
        }
    }

    @Test("waits while Apple fails, goes on when it is back, and accuses nobody")
    func replay() async throws {
        let clock = ManualClock()
        // The outage of 24 January 2020, quicker: for a time 45 % of the calls fail, then all are
        // answered with a web page, then all is well.
        let sentInOutage = Shared(0)
        let apple = try ScriptedApple { ask in
            switch clock.now.sinceStart {
            case ..<Duration.seconds(10):
                let isLucky = (ask.lot + ask.attempt * 17) % 100 >= 45
                return isLucky ? [Self.valid(ask)] : [.reply(status: "503 No", "")]
            case ..<Duration.seconds(300):
                sentInOutage.update { $0 += 1 }
                return [Self.page]
            default: return [Self.valid(ask)]
            }
        }
        try await Self.night(apple, clock) { test, pass in
            let outages = pass.paceChanges.filter(\.isOutage)
            #expect(outages.first == .outageBegan)
            guard case .outageEnded = outages.last else {
                Issue.record("unexpected \(outages)")
                return
            }
            #expect(pass.paceChanges.contains { $0.isHalving })
            // Sixteen were under way, fifty show an outage, and ten probes go out.
            #expect(sentInOutage.current < 100)
            let receipts = try await pass.summary().receipts
            #expect(receipts.verified + receipts.unverified == Self.users)
            #expect(receipts.verified > Self.users * 9 / 10)
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

    @Test("leaves the rest for another night when Apple does not come back in time")
    func outlasted() async throws {
        let clock = ManualClock()
        let apple = try ScriptedApple { _ in [.reply(status: "503 No", "")] }
        try await Self.night(apple, clock, patience: .seconds(120)) { test, pass in
            #expect(pass.paceChanges.filter(\.isOutage).count == 2)
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
            #expect(try await pass.findings(test) == [])
            let left = try await test.texts(
                "select count(*)::text from reconcile.outcome where cause = 'outage'")
            #expect(Int(left[0] ?? "") ?? 0 > Self.users - 40)
        }
    }

    @Test("believes no storm of 21003 or 21010, not even those before it was seen")
    func storm() async throws {
        let clock = ManualClock()
        // The first hundred are well; then two of three receipts are refused, over and over.
        let apple = try ScriptedApple { ask in
            let isRefused = clock.now.sinceStart > .seconds(10) && ask.lot % 3 > 0
            guard isRefused else { return [Self.valid(ask)] }
            return [.reply(AppleAnswer.status(ask.lot % 2 == 0 ? 21010 : 21003))]
        }
        try await Self.night(apple, clock, patience: .seconds(60)) { test, pass in
            #expect(pass.paceChanges.contains(.rejectionsDoubted))
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 0)
            #expect(receipts.verified > 0 && receipts.unverified > Self.users / 4)
            #expect(try await pass.findings(test) == [])
        }
    }

    @Test("believes no short storm either: forty answers in a row", arguments: [0, 90])
    func shortStorm(after count: Int) async throws {
        let (clock, answers) = (ManualClock(), Shared(0))
        let apple = try ScriptedApple { ask in
            let number = answers.update { $0 += 1 }
            guard (count + 1...count + 40).contains(number) else { return [Self.valid(ask)] }
            return [.reply(AppleAnswer.status(21003))]
        }
        try await Self.night(apple, clock) { test, pass in
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 0)
            #expect(receipts.verified + receipts.unverified == Self.users)
            #expect(try await pass.findings(test) == [])
            // So that a replay does not believe them either.
            let kept = try await test.texts(
                "select count(*)::text from reconcile.answer where outcome = 'rejected'")
            #expect(kept == ["0"])
        }
    }

    @Test("believes that a few receipts are refused, even if they are the first")
    func fewRefusals() async throws {
        let clock = ManualClock()
        let refused = Set((1...5).map { TestDatabase.receipt("r\($0)", bundle: "acme") })
        let apple = try ScriptedApple { ask in
            refused.contains(ask.receipt)
                ? [.reply(AppleAnswer.status(21003))] : [Self.valid(ask)]
        }
        try await Self.night(apple, clock) { _, pass in
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 5 && receipts.verified == Self.users - 5)
        }
    }

    @Test("believes few refusals too when all come a second time together, at the end")
    func togetherAtTheEnd() async throws {
        let clock = ManualClock()
        // One receipt in fifty. No backoff ends before all have been asked once.
        let refused = Set((1...30).map { TestDatabase.receipt("r\($0 * 50)", bundle: "acme") })
        let asked = Shared(0)
        let apple = try ScriptedApple { ask in
            if ask.attempt == 1 { asked.update { $0 += 1 } }
            return refused.contains(ask.receipt)
                ? [.reply(AppleAnswer.status(21003))] : [Self.valid(ask)]
        }
        let isTime: @Sendable () -> Bool = { asked.current == 1_500 }
        try await Self.night(
            apple, clock, users: 1_500, usersPerBatch: 500, burst: 2_000, inFlight: 64,
            standingStillUntil: isTime
        ) { _, pass in
            #expect(pass.paceChanges.isEmpty)
            let receipts = try await pass.summary().receipts
            #expect(receipts.rejected == 30 && receipts.verified == 1_470)
        }
    }

    @Test("stops asking about the app whose secret is wrong, and about no other")
    func wrongSecret() async throws {
        let clock = ManualClock()
        let apple = try ScriptedApple { ask in
            ask.password == "wrong"
                ? [.reply(AppleAnswer.status(21004))] : [.reply(AppleAnswer.verified())]
        }
        try await TestDatabase.connected { test, database in
            let users = (1...60).map { "u\($0)" }
            try await Self.store(
                users.map { ("a-\($0)", $0, "acme") } + users.map { ("b-\($0)", $0, "other") },
                in: test)
            let pass = try await Pass(
                database, apple, inFlight: 4, clock: clock, secrets: "acme = canary\nother = wrong")
            _ = try await clock.passing { try await pass.reconcile() }
            #expect(pass.paceChanges == [.bundleStopped("other", hasSecret: true)])
            let receipts = try await pass.summary().receipts
            #expect(receipts.verified == 60 && receipts.unverified == 60)
            // Twenty answers, and what was under way by then.
            #expect((20...23).contains(apple.asks.count { $0.password == "wrong" }))
            let causes = try await test.texts(
                "select distinct concat_ws(' ', outcome, cause) from reconcile.outcome order by 1")
            #expect(causes == ["unverified shared_secret_rejected", "verified"])
            #expect(try await pass.findings(test) == [])
        }
    }
}

extension ScriptedApple.Ask {
    /// A number that is the receipt's own.
    fileprivate var lot: Int { receipt.utf8.reduce(0) { ($0 * 31 + Int($1)) % 9_973 } }

    /// The receipt's own subscription: one that several users share is a finding.
    fileprivate var chain: String {
        String(receipt.utf8.reduce(0) { ($0 * 31 + Int($1)) % 99_999_999_977 })
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
