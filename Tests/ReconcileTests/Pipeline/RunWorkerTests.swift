import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with a scope and the receipts that are then requested; or an update of what
/// the run recorded, and what the message about the controls says.
@Suite("A worker of a run", .database, .hangLimit)
struct RunWorkerTests: DatabaseSuite {
    private static let users = ["ann", "bob", "cyd", "dan", "eve", "flo"]

    @Test("Rows that cannot be judged are counted and logged, never sent, and accuse no user")
    func invalid() async throws {
        try await storeInvalidRows()
        let pass = try await Pass(database, ScriptedApple { _ in [.status(0)] })
        let summary = try await pass.finish()
        let unsent: [StoredOutcome] = [
            .init("d1", .unusable(.empty), attempts: 0),
            .init("d2", .unusable(.notAReceipt), attempts: 0),
            .init("d3", .unusable(.jws), attempts: 0),
        ]
        let invalid = ["r1", "r2", "r3", "r4", nil].map { receipt in
            StoredOutcome(receipt, .unusable(.storedRowInvalid), attempts: 0)
        }
        #expect(try await outcomes() == unsent + invalid)
        let receipts = summary.receipts
        #expect([summary.requests.sent, receipts.inScope, receipts[.unusable]] == [0, 8, 8])
        let rows = summary.entitlements
        #expect([rows.inScope, rows[.unverified], rows[.notJudged]] == [11, 6, 5])
        #expect(summary.findings.byKind == [.receiptMalformed: 2, .receiptIsJWS: 1])
        let skipped = pass.events.compactMap { event -> SkippedRow? in
            guard case .skippedRow(let view, let id, let why) = event else { return nil }
            return SkippedRow(view: view, id: id, why: why)
        }
        // Rows without a user have one event together.
        #expect(pass.events.rowsWithoutUser.count == 1)
        let receiptRows = [nil, "r1", "r2", "r3"].map { id in
            SkippedRow(view: "stored_receipts", id: id, why: "null in a required column")
        }
        let rest: Set<SkippedRow> = [
            .init(view: "stored_entitlements", id: nil, why: "null in entitlement_id, updated_at"),
            .init(view: "stored_entitlements", id: "e1", why: "null in product_id"),
            .init(view: "stored_entitlements", id: "e2", why: "null in is_active, source"),
        ]
        #expect(skipped.count == 7)
        #expect(Set(skipped) == rest.union(receiptRows))
    }

    /// Receipts and entitlements that lack something, of users and of nobody.
    private func storeInvalidRows() async throws {
        try await test.sell("pro.monthly")
        let receipt = TestDatabase.receipt("r")
        try await execute(
            """
            insert into team.receipts (id, who, bundle, data, at) values
                ('d1', 'ann', 'acme', '', now()), ('d2', 'ann', 'acme', 'bm90aGluZw==', now()),
                ('d3', 'bob', 'acme', 'eyJh.eyJi.c2ln', now()),
                ('r1', 'cyd', null, '\(receipt)', now()), ('r2', 'dan', 'acme', null, now()),
                ('r3', 'eve', 'acme', '\(receipt)', null),
                ('r4', null, 'acme', '\(receipt)', now()),
                (null, 'flo', 'acme', '\(receipt)', now())
            """)
        for user in Self.users { try await test.store(entitlement: "e-\(user)", of: user) }
        try await test.store(entitlement: "e1", of: "gus", to: nil)
        try await test.store(entitlement: "e2", of: "gus", isActive: nil, source: nil)
        try await test.store(entitlement: "e3", of: nil)
        try await test.store(entitlement: nil, of: "gus", updated: nil)
        try await test.store(entitlement: "e5", of: "gus", source: "gift")
    }

    private struct SkippedRow: Hashable {
        let view: String
        let id: String?
        let why: String
    }

    @Test("Users with large receipts are not read before earlier users are judged")
    func largeReceipts() async throws {
        try await storeReceipts(of: Self.users)
        try await execute("update team.receipts set data = data || repeat(' ', 9 << 20)")
        let judged = Gate()
        let apple = try ScriptedApple { _ in
            judged.wait()
            return [.verified()]
        }
        let pass = try await Pass(database, apple, usersPerBatch: 1, inFlight: 6) {
            // The first request waits for its answer until the fourth has arrived.
            $0.timeout = .seconds(600)
            $0.receiptDeadline = .seconds(900)
        }
        async let finishing = pass.finish()
        await apple.production.arrival(of: 4)
        // The fifth user has been read and waits; the sixth is not read.
        let leased = "select count(*) <= 5 from reconcile.batch where lease > 0"
        #expect(try await texts(leased) == ["t"])
        judged.open()
        #expect(try await finishing.receipts[.verified] == Self.users.count)
    }

    @Test("A run that was abandoned in the meantime ends the worker at once")
    func abandoned() async throws {
        try await storeReceipts(of: Self.users)
        let apple = try ScriptedApple { [test] ask in
            let end = "update reconcile.run set state = 'abandoned', finished_at = now()"
            Gate.blocking { try await test.execute(end) }
            return [.verified()]
        }
        let pass = try await Pass(database, apple, usersPerBatch: 1, inFlight: 1)
        #expect(try await databaseError { try await pass.reconcile() }.name == "notOpen")
        #expect(try await outcomes() == [])
    }

    @Test(
        "Controls that do not balance are named, and nothing is published",
        arguments: [
            (
                tampering: """
                user_result set receipts_verified = receipts_verified + 1
                where user_id = 'bob'
                """,
                message: """
                receipts in scope and in their buckets: 6 and 7; receipts verified: 7 and 6
                """
            ),
            (
                "outcome set run_no = 0 where receipt_id = 'bob'",
                """
                receipts counted and outcomes written: 6 and 5; receipts verified: 6 and 5
                """
            ),
            (
                "user_result set entitlements_in_scope = 1 where user_id = 'bob'",
                "entitlements in scope and in their buckets: 1 and 0"
            ),
            (
                """
                user_result set entitlements_in_scope = 1, entitlements_with_finding = 1
                where user_id = 'bob'
                """, "entitlements with a finding and findings written: 1 and 0"
            ),
            ("batch set done_at = null", "batches that are not done: 1 and 0"),
        ])
    func controls(tampering: String, message: String) async throws {
        try await storeReceipts(of: Self.users)
        let pass = try await Pass(database, ScriptedApple { _ in [.verified()] })
        try await pass.finish()
        try await execute("update reconcile." + tampering)
        let error = await #expect(throws: ControlsError.self) { try await pass.summary() }
        #expect(
            error?.description == "The controls do not balance (\(message)). Nothing was"
                + " published. This is a defect of the job: report it with this line.")
    }

    @Test(
        "A partial run requests all receipts of its users, and no others",
        arguments: [
            (scope: Run.Scope.selected(users: ["bob"], receipts: []), receipts: ["bob", "bob-2"]),
            (.selected(users: [], receipts: ["bob-2"]), ["bob", "bob-2"]),
            (.selected(users: ["flo", "bob"], receipts: ["bob"]), ["bob", "bob-2", "flo"]),
            (.limited(users: 2), ["ann", "bob", "bob-2"]),
        ])
    func scope(scope: Run.Scope, receipts: [String]) async throws {
        try await storeReceipts(of: Self.users)
        try await test.store(receipt: "bob-2", of: "bob")
        try await test.store(receipt: "nobody's", of: nil)
        let apple = try ScriptedApple { _ in [.verified()] }
        let pass = try await Pass(database, apple, scope: scope)
        #expect(pass.plan.receipts == receipts.count)
        #expect(try await pass.finish().receipts.inScope == receipts.count)
        let verified = receipts.map { StoredOutcome($0, .verified, attempts: 1) }
        #expect(try await outcomes() == verified)
        #expect(Set(apple.asks.map(\.receipt)) == Set(receipts.map { TestDatabase.receipt($0) }))
    }
}

@Suite("A run during an outage", .database, .hangLimit)
struct OutageTests: DatabaseSuite {
    @Test("The run pauses while Apple fails, resumes when Apple answers, and accuses no user")
    func replay() async throws {
        let clock = ManualClock()
        // The outage of 24 January 2020: 45 % of the calls fail, then all get a web page.
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
        try await fill(users: 300)
        let pass = try await Pass(database, apple, usersPerBatch: 50, inFlight: 16, clock: clock) {
            $0.rate = 10
            $0.burst = 10
            $0.maxAttempts = 6
            $0.backoff = .seconds(1)
            $0.receiptDeadline = .seconds(3_600)
            $0.outagePatience = .seconds(600)
        }
        let summary = try await clock.passing { try await pass.finish() }
        let changes = pass.events.paceChanges
        let outages = changes.filter(\.isOfOutage)
        #expect(outages.first?.beginsOutage == true)
        #expect(outages.last?.endsOutage == true)
        #expect(changes.contains { $0.halvesRate })
        // Sixteen in flight, fifty until the breaker opens, and ten probes.
        #expect(sentInOutage.current < 100)
        #expect(summary.receipts[.verified] + summary.receipts[.unverified] == 300)
        #expect(summary.receipts[.verified] > 300 * 9 / 10)
        let causes: [ReceiptOutcome] = [
            .verified, .unverified(.httpStatus), .unverified(.malformedAnswer),
        ]
        #expect(Set(try await tally().keys).isSubset(of: causes))
        #expect(try await findings() == [])
    }

    @Test("Requests for an app with a wrong secret stop, and other apps continue")
    func wrongSecret() async throws {
        let apple = try ScriptedApple { [$0.password == "wrong" ? .status(21004) : .verified()] }
        for bundle in ["acme", "other"] {
            try await storeReceipts((1...60).map { ("\(bundle)-\($0)", "u\($0)") }, bundle: bundle)
        }
        let clock = ManualClock()
        let pass = try await Pass(
            database, apple, inFlight: 4, clock: clock, secrets: "acme = canary\nother = wrong")
        _ = try await clock.passing { try await pass.finish() }
        let unsigned = AppReceipts(bundle: "other", kind: .others)
        #expect(pass.events.paceChanges == [.bundleStopped(unsigned, .sharedSecretRejected)])
        // Twenty answers, and the requests in flight by then.
        #expect((20...23).contains(apple.asks.count { $0.password == "wrong" }))
        #expect(try await tally() == [.unverified(.sharedSecretRejected): 60, .verified: 60])
        #expect(try await findings() == [])
    }

    /// An outage is detected and given up quickly.
    private func impatient(_ apple: ScriptedApple) async throws -> Pass {
        try await fill(users: 300)
        return try await Pass(database, apple, usersPerBatch: 50, inFlight: 16) {
            $0.maxAttempts = 1
            $0.outagePatience = .milliseconds(50)
        }
    }

    @Test("A worker that alone gets no answer leaves its users to the other workers")
    func cutOff() async throws {
        let isSilent = Shared(true)
        let pass = try await impatient(ScriptedApple { [isSilent.current ? .reset : .valid($0)] })
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
        let failed = tally[.unverified(.connectionFailed)] ?? 0
        #expect(failed < 70)
        #expect(tally[.verified] == 300 - failed)
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
        #expect(try await pass.summary().receipts[.unverified] == 300)
    }
}
