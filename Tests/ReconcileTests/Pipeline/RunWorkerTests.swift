import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A worker of a run", .database, .timeLimit(.minutes(10)))
struct RunWorkerTests: DatabaseSuite {
    private static let users = ["ann", "bob", "cyd", "dan", "eve", "flo"]

    @Test("Rows that cannot be judged are counted and logged, never sent, and accuse no user")
    func invalid() async throws {
        try await test.sell("pro.monthly")
        // Data that is no receipt, and rows with a forbidden null.
        let receipt = TestDatabase.receipt("r")
        try await execute(
            """
            insert into team.receipts values
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
        let pass = try await Pass(database, ScriptedApple { _ in [.status(0)] })
        let summary = try await pass.finish()
        let why = "unusable stored_row_invalid 0"
        #expect(
            try await outcomes() == "d1 unusable empty 0, d2 unusable not_a_receipt 0, d3 unusable"
                + " jws 0, r1 \(why), r2 \(why), r3 \(why), r4 \(why), \(why)")
        let receipts = summary.receipts
        #expect([summary.requests.sent, receipts.inScope, receipts.unusable] == [0, 8, 8])
        let rows = summary.entitlements
        #expect([rows.inScope, rows.unverified, rows.notJudged] == [11, 6, 5])
        #expect(summary.findings.byKind == [.receiptMalformed: 2, .receiptIsJWS: 1])
        let skipped = pass.events.current.compactMap { event -> String? in
            guard case .skippedRow(let view, let id, let why) = event else { return nil }
            return "\(view) \(id ?? "-") \(why)"
        }
        let receiptRows = ["-", "r1", "r2", "r3", "r4"]
        #expect(
            skipped.sorted() == [
                "stored_entitlements - null in entitlement_id, updated_at",
                "stored_entitlements e1 null in product_id",
                "stored_entitlements e2 null in is_active, source",
                "stored_entitlements e3 null in user_id",
            ] + receiptRows.map { "stored_receipts \($0) null in a required column" })
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
        #expect(try await finishing.receipts.verified == Self.users.count)
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
        #expect(try await outcomes() == "")
    }

    @Test(
        "Controls that do not balance are named, and nothing is published",
        arguments: textPairs(
            """
            user_result set receipts_verified = receipts_verified + 1 where user_id = 'bob' \
            | receipts in scope and in their buckets: 6 and 7; receipts verified: 7 and 6
            outcome set run_id = 'x' where receipt_id = 'bob' \
            | receipts counted and outcomes written: 6 and 5; receipts verified: 6 and 5
            user_result set entitlements_in_scope = 1 where user_id = 'bob' \
            | entitlements in scope and in their buckets: 1 and 0
            user_result set entitlements_in_scope = 1, entitlements_with_finding = 1 \
            where user_id = 'bob' | entitlements with a finding and findings written: 1 and 0
            batch set done_at = null | batches that are not done: 1 and 0
            """))
    func controls(tampering: String, message: String) async throws {
        try await storeReceipts(of: Self.users)
        let pass = try await Pass(database, .verifying())
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
            (RunScope.selected(users: ["bob"], receipts: []), ["bob", "bob-2"]),
            (.selected(users: [], receipts: ["bob-2"]), ["bob", "bob-2"]),
            (.selected(users: ["flo", "bob"], receipts: ["bob"]), ["bob", "bob-2", "flo"]),
            (.limited(users: 2), ["ann", "bob", "bob-2"]),
        ])
    func scope(scope: RunScope, receipts: [String]) async throws {
        try await storeReceipts(of: Self.users)
        try await test.store(receipt: "bob-2", of: "bob")
        try await test.store(receipt: "nobody's", of: nil)
        let apple = try ScriptedApple.verifying()
        let pass = try await Pass(database, apple, scope: scope)
        #expect(pass.plan.receipts == receipts.count)
        #expect(try await pass.finish().receipts.inScope == receipts.count)
        let verified = receipts.map { "\($0) verified 1" }.joined(separator: ", ")
        #expect(try await outcomes() == verified)
        #expect(Set(apple.asks.map(\.receipt)) == Set(receipts.map { TestDatabase.receipt($0) }))
    }
}
