internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The stored rows of a batch")
struct StoredRowsTests {
    private let batch = Batch(number: 1, users: ClosedUserRange(first: "ann", last: "bob"))

    @Test("are receipts, byte for byte")
    func receipts() async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute(
                """
                insert into team.receipts values
                ('r1', 'ann', 'app', E'MI\\tIé\\r\\n ', '2026-01-01 00:00:00.0019+00'),
                ('r2', 'bob', 'app', '', 'infinity'), ('r3', 'carl', 'app', 'AAAA', now());
                """)
            let receipts = try await database.receipts(of: batch)
            #expect(receipts.valid.map(\.id) == ["r1", "r2"])
            #expect(receipts.valid[0].data.text == Array("MI\tIé\r\n ".utf8))
            #expect(receipts.valid[0].storedAt == Instant(milliseconds: 1_767_225_600_001))
            #expect(receipts.valid[1].data.text == [])
            #expect(receipts.valid[1].storedAt == .distantFuture)
            #expect(receipts.invalid.isEmpty)
        }
    }

    @Test(
        "are invalid with a null where none may be",
        arguments: [
            ("null, 'ann', 'app', 'AAAA', now()", nil, "app"),
            ("'r', 'ann', null, 'AAAA', now()", "r", nil),
            ("'r', 'ann', 'app', null, now()", "r", "app"),
            ("'r', 'ann', 'app', 'AAAA', null", "r", "app"),
        ] as [(String, ReceiptID?, BundleID?)])
    func invalid(row: String, id: ReceiptID?, bundle: BundleID?) async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute("insert into team.receipts values (\(row))")
            let receipts = try await database.receipts(of: batch)
            #expect(receipts.valid.isEmpty)
            #expect(
                receipts.invalid == [InvalidStoredReceipt(id: id, user: "ann", bundle: bundle)])
            #expect(
                try await database.usersWithOtherReceipts(than: receipts.snapshot, in: batch)
                    .isEmpty)
        }
    }

    @Test(
        "tell the users of whom a receipt was stored since",
        arguments: [
            ("insert into team.receipts values ('new', 'bob', 'app', 'A', now())", ["bob"]),
            ("insert into team.receipts values (null, 'bob', 'app', 'A', null)", ["bob"]),
            ("update team.receipts set at = now() where id = 'r1'", ["ann"]),
            ("update team.receipts set at = at + interval '1 ms' where id = 'r1'", []),
            ("update team.receipts set who = 'bob' where id = 'r1'", ["bob"]),
            ("insert into team.receipts values ('new', 'carl', 'app', 'A', now())", []),
            ("delete from team.receipts", []),
            ("select 1", []),
        ] as [(String, Set<UserID>)])
    func since(change: String, users: Set<UserID>) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: [("r1", "ann"), ("r2", "bob")])
            let receipts = try await database.receipts(of: batch)
            try await test.execute(change)
            #expect(
                try await database.usersWithOtherReceipts(than: receipts.snapshot, in: batch)
                    == users)
        }
    }

    @Test("are entitlements with all that is known of them")
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
            let entitlements = try await database.entitlements(of: batch)
            #expect(entitlements.invalid.isEmpty)
            #expect(
                entitlements.valid == [
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

    @Test("are entitlements not to be judged, with the columns that are missing")
    func invalidEntitlement() async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute("insert into team.entitlements (id, who) values ('e', 'ann')")
            let entitlements = try await database.entitlements(of: batch)
            #expect(
                entitlements.invalid == [
                    InvalidStoredEntitlement(
                        id: "e", user: "ann",
                        missing: ["product_id", "is_active", "source", "updated_at"])
                ])
        }
    }
}
