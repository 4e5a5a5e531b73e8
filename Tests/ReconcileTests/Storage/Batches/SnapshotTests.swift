internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Stored rows of a batch", .database, .timeLimit(.minutes(10)))
struct SnapshotTests: DatabaseSuite {
    private let batch = Batch(number: 1, users: ClosedUserRange(first: "ann", last: "bob"))

    @Test("Receipts are read byte for byte")
    func receipts() async throws {
        try await execute(
            """
            insert into team.receipts values
            ('r1', 'ann', 'app', E'MI\\tIé\\r\\n ', '2026-01-01 00:00:00.0019+00'),
            ('r2', 'bob', 'app', '', 'infinity'), ('r3', 'carl', 'app', 'AAAA', now());
            """)
        let users = try await users()
        #expect(users.map(\.user) == ["ann", "bob"])
        let receipts = users.flatMap(\.receipts)
        #expect(receipts.map(\.id) == ["r1", "r2"])
        #expect(receipts.map(\.user) == ["ann", "bob"])
        #expect(receipts.map(\.data.text) == [Array("MI\tIé\r\n ".utf8), []])
        let stored = [Instant(milliseconds: 1_767_225_600_001), .distantFuture]
        #expect(receipts.map(\.storedAt) == stored)
        #expect(users.allSatisfy { $0.invalidReceipts.isEmpty && !$0.isTooLarge })
    }

    @Test(
        "A receipt with a forbidden null is invalid",
        arguments: [
            ("null, 'ann', 'app', 'AAAA', now()", nil, "app"),
            ("'r', 'ann', null, 'AAAA', now()", "r", nil),
            ("'r', 'ann', 'app', null, now()", "r", "app"),
            ("'r', 'ann', 'app', 'AAAA', null", "r", "app"),
        ] as [(String, ReceiptID?, BundleID?)])
    func invalid(row: String, id: ReceiptID?, bundle: BundleID?) async throws {
        try await execute("insert into team.receipts values (\(row))")
        let ann = try #require(try await users().first)
        #expect(ann.receipts.isEmpty)
        #expect(ann.invalidReceipts == [InvalidStoredReceipt(id: id, user: "ann", bundle: bundle)])
    }

    @Test("An entitlement is read with all its columns, and with a forbidden null it is invalid")
    func entitlements() async throws {
        try await execute(
            """
            insert into team.entitlements values
            ('e1', 'ann', 'gold', '100', true, 'infinity', false, 'FAMILY_SHARED', 'app_store',
                '2026-01-01'),
            ('e2', 'bob', 'gold', null, false, null, null, 'HALF', 'promo', '2026-01-01');
            """)
        let updated = Instant(milliseconds: 1_767_225_600_000)
        let valid = [
            StoredEntitlement(
                id: "e1", user: "ann", product: "gold", originalTransaction: "100",
                isActive: true, expiresAt: .distantFuture, autoRenew: false,
                ownership: .familyShared, source: .appStore, updatedAt: updated),
            StoredEntitlement(
                id: "e2", user: "bob", product: "gold", isActive: false,
                source: .other("promo"), updatedAt: updated),
        ]
        var users = try await users()
        #expect(users.allSatisfy { $0.invalidEntitlements.isEmpty })
        #expect(users.flatMap(\.entitlements) == valid)
        try await execute("insert into team.entitlements (id, who) values ('e', 'ann')")
        users = try await self.users()
        #expect(users.flatMap(\.entitlements) == valid)
        #expect(
            users.flatMap(\.invalidEntitlements) == [
                InvalidStoredEntitlement(
                    id: "e", user: "ann",
                    missing: ["product_id", "is_active", "source", "updated_at"])
            ])
    }

    @Test("A recorded user is left out, whatever rows the user has")
    func recorded() async throws {
        try await store(["r1": "ann", "r2": "b\"ob,", "r3": "bob"])
        try await test.store(entitlement: "e1", of: "anna")
        try await test.store(entitlement: "e2", of: "bob")
        for (recorded, left) in [
            ([], ["ann", "anna", "b\"ob,", "bob"]), (["ann", "b\"ob,"], ["anna", "bob"]),
            (["anna"], ["ann", "b\"ob,", "bob"]), (["ann", "anna", "b\"ob,", "bob"], []),
        ] as [([UserID], Set<UserID?>)] {
            let portions = try await database.portions(of: batch, besides: recorded)
            #expect(Set(portions.flatMap(\.users).map(\.user)) == left)
        }
    }

    /// A lock blocks the second statement until another session has changed everything.
    @Test("Receipts, entitlements and history are read in one snapshot", arguments: [true, false])
    func oneSnapshot(isGroup: Bool) async throws {
        try await storeBefore()
        let other = try await session()
        try await other.script("begin; lock team.receipts in access exclusive mode")
        let reading = Task {
            guard isGroup else {
                return try await database.batches.portion(
                    of: batch, after: nil, besides: [], in: .test())
            }
            let users: [PostponedUser] = [.test("ann"), .test("bob"), .test("anna")]
            return try await database.batches.group(users, of: batch, in: .test()).portion
        }
        try await wait(
            until: """
                select count(*) from pg_locks
                where not granted and relation = 'team.receipts'::regclass and database =
                    (select oid from pg_database where datname = current_database())
                """)
        try await other.script(
            """
            delete from team.receipts; delete from team.entitlements; delete from reconcile.ledger;
            insert into team.receipts values ('r2', 'bob', 'app', 'BBBB', now());
            insert into team.entitlements (id, who) values ('e2', 'anna');
            commit
            """)
        let stored = try await reading.value.users.filter {
            !$0.receipts.isEmpty || !$0.entitlements.isEmpty
        }
        #expect(stored.map(\.user) == ["ann"])
        #expect(stored.flatMap(\.entitlements).map(\.id) == ["e1"])
        #expect(stored.flatMap(\.receipts).map(\.id) == ["r1"])
        #expect(stored.flatMap(\.receipts).map(\.data.text) == [Array("AAAA".utf8)])
        #expect(stored.flatMap(\.history.open).map(\.identity.user) == ["ann"])
        // The next portion is read in the next snapshot.
        let next = try await database.batches.portion(
            of: batch, after: nil, besides: [], in: .test())
        #expect(Set(next.users.map(\.user)) == ["anna", "bob"])
        #expect(next.users.allSatisfy { $0.history.entries.isEmpty })
    }

    /// Stores an earlier run's finding about ann, a receipt and an entitlement of hers, and a new
    /// run.
    private func storeBefore() async throws {
        try await store(["r1": "ann"])
        try await test.store(entitlement: "e1", of: "ann")
        try await open(.test("1"))
        try await database.ledger.publish(RunID(text: "1"), at: Run.test().asOf, under: nil)
        try await execute(
            """
            insert into reconcile.ledger (
                first_run_no, first_seen, finding_id, state, kind, user_id, reference
            )
            select run_no, now(), md5('1')::uuid, 'open', 'active_not_granted', 'ann', ''
            from reconcile.run
            """)
        try await open()
    }

    private func users() async throws -> [StoredUser] {
        let portions = try await database.portions(of: batch)
        #expect(portions.map(\.isLast) == [true])
        return portions.flatMap(\.users)
    }
}
