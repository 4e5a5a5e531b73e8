internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Stored rows of a batch", .timeLimit(.minutes(10)))
struct SnapshotTests {
    private let batch = Batch(number: 1, users: ClosedUserRange(first: "ann", last: "bob"))

    @Test("Receipts are read byte for byte")
    func receipts() async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute(
                """
                insert into team.receipts values
                ('r1', 'ann', 'app', E'MI\\tIé\\r\\n ', '2026-01-01 00:00:00.0019+00'),
                ('r2', 'bob', 'app', '', 'infinity'), ('r3', 'carl', 'app', 'AAAA', now());
                """)
            let users = try await users(database)
            #expect(users.map(\.user) == ["ann", "bob"])
            let receipts = users.flatMap(\.receipts)
            #expect(receipts.map(\.id) == ["r1", "r2"])
            #expect(receipts.map(\.user) == ["ann", "bob"])
            #expect(receipts[0].data.text == Array("MI\tIé\r\n ".utf8))
            #expect(receipts[0].storedAt == Instant(milliseconds: 1_767_225_600_001))
            #expect(receipts[1].data.text == [])
            #expect(receipts[1].storedAt == .distantFuture)
            #expect(users.allSatisfy { $0.invalidReceipts.isEmpty && !$0.isTooLarge })
        }
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
        try await TestDatabase.connected { test, database in
            try await test.execute("insert into team.receipts values (\(row))")
            let ann = try #require(try await users(database).first)
            #expect(ann.receipts.isEmpty)
            #expect(
                ann.invalidReceipts == [InvalidStoredReceipt(id: id, user: "ann", bundle: bundle)])
        }
    }

    @Test("An entitlement is read with all its columns")
    func entitlements() async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute(
                """
                insert into team.entitlements values
                ('e1', 'ann', 'gold', '100', true, 'infinity', false, 'FAMILY_SHARED', 'app_store',
                    '2026-01-01'),
                ('e2', 'bob', 'gold', null, false, null, null, 'HALF', 'promo', '2026-01-01');
                """)
            let updated = Instant(milliseconds: 1_767_225_600_000)
            let users = try await users(database)
            #expect(users.allSatisfy { $0.invalidEntitlements.isEmpty })
            #expect(
                users.flatMap(\.entitlements) == [
                    StoredEntitlement(
                        id: "e1", user: "ann", product: "gold", originalTransaction: "100",
                        isActive: true, expiresAt: .distantFuture, autoRenew: false,
                        ownership: .familyShared, source: .appStore, updatedAt: updated),
                    StoredEntitlement(
                        id: "e2", user: "bob", product: "gold", isActive: false,
                        source: .other("promo"), updatedAt: updated),
                ])
        }
    }

    @Test("An entitlement with a forbidden null is invalid")
    func invalidEntitlement() async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute("insert into team.entitlements (id, who) values ('e', 'ann')")
            let users = try await users(database)
            #expect(
                users.flatMap(\.invalidEntitlements) == [
                    InvalidStoredEntitlement(
                        id: "e", user: "ann",
                        missing: ["product_id", "is_active", "source", "updated_at"])
                ])
        }
    }

    @Test("A recorded user is left out, whatever rows the user has")
    func recorded() async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann"), ("r2", "b\"ob,"), ("r3", "bob")])
            try await test.store(entitlement: "e1", of: "anna")
            try await test.store(entitlement: "e2", of: "bob")
            let range = Batch(number: 1, users: ClosedUserRange(first: "ann", last: "bob"))
            func users(besides recorded: [UserID]) async throws -> Set<UserID?> {
                Set(
                    try await database.portions(of: range, besides: recorded)
                        .flatMap(\.users).map(\.user))
            }
            #expect(try await users(besides: []) == ["ann", "anna", "b\"ob,", "bob"])
            #expect(try await users(besides: ["ann", "b\"ob,"]) == ["anna", "bob"])
            #expect(try await users(besides: ["anna"]) == ["ann", "b\"ob,", "bob"])
            #expect(try await users(besides: ["ann", "anna", "b\"ob,", "bob"]) == [])
        }
    }

    /// A lock blocks the second statement until another session has changed everything.
    @Test("Receipts, entitlements and history are read in one snapshot", arguments: [true, false])
    func oneSnapshot(isGroup: Bool) async throws {
        try await TestDatabase.connected { test, database in
            try await storeBefore(test, database)
            let other = PostgresConnection()
            try await other.open(test.url)
            try await other.executeScript(
                .init(name: "test", text: "begin; lock team.receipts in access exclusive mode"))
            let reading = Task {
                guard isGroup else {
                    return try await database.batches.portion(
                        of: batch, after: nil, besides: [], in: .test())
                }
                let users: [PostponedUser] = [.test("ann"), .test("bob"), .test("anna")]
                return try await database.batches.group(users, of: batch, in: .test())
                    .portion
            }
            let isHeldUp = """
                select count(*) from pg_locks
                where not granted and relation = 'team.receipts'::regclass
                    and database = (
                        select oid from pg_database where datname = current_database())
                """
            while try await test.texts(isHeldUp) != ["1"] {}
            try await other.executeScript(.init(name: "test", text: Self.change))
            await other.close()
            let portion = try await reading.value
            let stored = portion.users.filter { !$0.receipts.isEmpty || !$0.entitlements.isEmpty }
            #expect(stored.map(\.user) == ["ann"])
            #expect(stored.first?.entitlements.map(\.id) == ["e1"])
            #expect(stored.first?.receipts.map(\.id) == ["r1"])
            #expect(stored.first?.receipts.first?.data.text == Array("AAAA".utf8))
            #expect(stored.first?.history.open.map(\.identity.user) == ["ann"])
            // The next portion is read in the next snapshot.
            let next = try await database.batches.portion(
                of: batch, after: nil, besides: [], in: .test())
            #expect(Set(next.users.map(\.user)) == ["anna", "bob"])
            #expect(next.users.allSatisfy { $0.history.entries.isEmpty })
        }
    }

    /// Stores an earlier run's findings about ann, a receipt and an entitlement of hers, and a new
    /// run.
    private func storeBefore(_ test: TestDatabase, _ database: Database) async throws {
        try await test.store(receipts: [("r1", "ann")])
        try await test.store(entitlement: "e1", of: "ann")
        _ = try await database.runs.open(.test("1"), codeVersion: "1", settings: "{}")
        try await database.ledger.publish(RunID(text: "1"), at: Run.test().asOf, under: nil)
        try await test.execute(
            """
            insert into reconcile.ledger (
                first_run_no, first_seen, finding_id, state, kind, user_id, reference
            )
            select run_no, now(), md5('1')::uuid, 'open', 'active_not_granted', 'ann', ''
            from reconcile.run
            """)
        _ = try await database.runs.open(.test(), codeVersion: "1", settings: "{}")
    }

    private static let change = """
        delete from team.receipts; delete from team.entitlements;
        delete from reconcile.ledger;
        insert into team.receipts values ('r2', 'bob', 'app', 'BBBB', now());
        insert into team.entitlements (id, who) values ('e2', 'anna');
        commit
        """

    private func users(_ database: Database) async throws -> [StoredUser] {
        let portions = try await database.portions(of: batch)
        #expect(portions.map(\.isLast) == [true])
        return portions.flatMap(\.users)
    }
}
