import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A worker of a run", .database, .timeLimit(.minutes(10)))
struct RunWorkerTests: DatabaseSuite {
    private static let users = ["ann", "bob", "cyd", "dan", "eve", "flo"]

    @Test("The worker records every receipt's outcome, and the findings")
    func records() async throws {
        let apple = try ScriptedApple.answering([
            "ann": .verified(AppleAnswer.period("1", from: -60, to: -30)),
            "bob": .verified(AppleAnswer.period("2", from: -10, to: 20)),
            "cyd": .status(21003), "dan": .reset,
        ])
        try await test.sell("pro.monthly")
        try await storeReceipts(of: ["ann", "bob", "cyd", "dan"])
        try await grant(["ann", "bob", "cyd", "dan", "eve"])
        let summary = try await Pass(database, apple, usersPerBatch: 2).finish()
        #expect(
            try await outcomes() == "ann verified 1, bob verified 1, cyd rejected not_authentic 1,"
                + " dan unverified connection_failed 2")
        #expect(
            try await findings() == "expired_still_granted ann e-ann, grant_without_receipt eve"
                + " e-eve, grant_without_transaction cyd e-cyd, receipt_not_authentic cyd")
        #expect(summary.receipts.counts == [2, 1, 0, 1])
        #expect(summary.entitlements.counts == [1, 3, 0, 1, 0])
        #expect(summary.findings.total == 4)
        // Each receipt once, Dan's twice; and in the second look Cyd's, with Ann and Bob as
        // controls.
        #expect(summary.requests.sent == 8 && summary.requests.retries == 1)
        #expect(summary.requests.byStatus == [0: 4, 21003: 2])
        #expect(summary.requests.byHTTPStatus == [200: 6])
        #expect(summary.oldestVerifiedAt == .asOf)
    }

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
        let pass = try await Pass(database, ScriptedApple(status: 0))
        let summary = try await pass.finish()
        let why = "unusable stored_row_invalid 0"
        #expect(
            try await outcomes() == "d1 unusable empty 0, d2 unusable not_a_receipt 0, d3 unusable"
                + " jws 0, r1 \(why), r2 \(why), r3 \(why), r4 \(why), \(why)")
        #expect(summary.requests.sent == 0)
        #expect(summary.receipts.counts == [0, 0, 8, 0])
        #expect(summary.entitlements.counts == [0, 0, 0, 6, 5])
        #expect(summary.findings.byKind == [.receiptMalformed: 2, .receiptIsJWS: 1])
        let skipped = pass.events.current.compactMap { event -> String? in
            guard case .skippedRow(let view, let id, let why) = event else { return nil }
            return "\(view) \(id ?? "-") \(why)"
        }
        let receipts = ["-", "r1", "r2", "r3", "r4"]
        #expect(
            skipped.sorted() == [
                "stored_entitlements - null in entitlement_id, updated_at",
                "stored_entitlements e1 null in product_id",
                "stored_entitlements e2 null in is_active, source",
                "stored_entitlements e3 null in user_id",
            ] + receipts.map { "stored_receipts \($0) null in a required column" })
    }

    @Test("A slow receipt delays its own user and no other")
    func slow() async throws {
        try await storeReceipts(of: Self.users)
        let overtaken = Gate()
        let asked = Shared(0)
        let apple = try ScriptedApple { _ in
            if asked.update({ $0 += 1 }) == 1 { overtaken.wait() }
            return [.verified()]
        }
        let pass = try await Pass(database, apple, usersPerBatch: 1, inFlight: 2)
        async let finishing = pass.finish()
        await apple.production.arrival(of: Self.users.count)
        overtaken.open()
        #expect(try await finishing.receipts.verified == Self.users.count)
    }

    @Test("Users with large receipts are not read before earlier users are judged")
    func largeReceipts() async throws {
        let padding = String(repeating: " ", count: 9 << 20)
        for user in Self.users {
            try await test.store(
                receipt: user, of: user, data: .text(TestDatabase.receipt(user) + padding))
        }
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

    @Test("Findings do not depend on the size of a batch or on the requests in flight")
    func independent() async throws {
        for product in ["pro.monthly", "max.monthly"] { try await test.sell(product) }
        let users = (10..<24).map { "user\($0)" }
        try await storeReceipts(of: users)
        try await storeReceipts(users.prefix(7).map { (id: "\($0)-2", user: $0) })
        try await grant(Array(users.prefix(10)))
        try await grant(Array(users.suffix(4)), isActive: false)
        try await execute(
            "update team.entitlements set product = 'max.monthly' where who ~ '[13579]$'")
        // Up to two periods of some of nine chains, which users share.
        let apple = try ScriptedApple { ask in
            if ask.lot % 8 == 0 { return [.status(21_010)] }
            let periods = [ask.lot, ask.lot / 9].prefix(ask.lot / 81 % 3).map { lot in
                let chain = lot % 9 + 1
                let end = Double(chain * 7 % 40 - 12)
                return AppleAnswer.period(
                    "\(chain)", of: ["pro.monthly", "max.monthly", "x.monthly"][chain % 3],
                    from: end - 30, to: end, cancelled: chain % 4 == 0 ? min(-2, end - 20) : nil)
            }
            return [.reply(AppleAnswer.verified(periods))]
        }
        var nights: [[String]] = []
        for (usersPerBatch, inFlight) in [(1, 1), (3, 8), (100, 4)] {
            let pass = try await Pass(
                database, apple, usersPerBatch: usersPerBatch, inFlight: inFlight,
                night: nights.count + 1)
            try await pass.finish()
            nights.append(try await report(of: pass))
        }
        // The findings, more than ten, and the outcomes and two tallies.
        #expect(nights[0].count > 10 + 21 + 2)
        #expect(nights[1] == nights[0] && nights[2] == nights[0])
    }
}

extension ReceiptTally {
    fileprivate var counts: [Int] { [verified, rejected, unusable, unverified] }
}

extension EntitlementTally {
    fileprivate var counts: [Int] { [consistent, withFinding, settling, unverified, notJudged] }
}
