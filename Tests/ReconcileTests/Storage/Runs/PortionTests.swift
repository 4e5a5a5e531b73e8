internal import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: a row with a collation, the number of portions, and the users who are recorded
/// already; a group is a list of users instead of a range.
@Suite("Portions of a batch", .database, .hangLimit)
struct PortionTests: DatabaseSuite {
    private let batch = Batch(number: 1, users: ClosedUserRange(first: "ann", last: "bob"))
    /// By bytes A comes before a, and before é; in the ICU collation a, A, b, B, e, é.
    private static let withReceipts = [
        "a", "A", "b", "B", "b\"ob,", "c", "d", "e", "é", "f", "F", "g", "h", "i", "j", "k", "z",
    ]
    private static let withoutReceipts = ["aa", "AA", "Bb", "ée", "ff", "kk", "zz", "ZZ"]

    @Test(
        "What is over 8 MiB comes in portions that hold every user once but the recorded ones",
        arguments: [
            (collation: "en-x-icu", count: 3, recorded: []), ("C", 3, []), ("und-x-icu", 3, []),
            ("en-x-icu", 2, ["a", "aa", "B", "b\"ob,", "é", "zz"]),
        ])
    func portions(collation: String, count: Int, recorded: [String]) async throws {
        // 1 MiB of receipts for some users, an entitlement for others.
        let owners = Self.withReceipts.map { "'\($0)'" }.joined(separator: ", ")
        let tables = TestDatabase.teamTables(collation: collation)
        try await execute(
            """
            drop schema team cascade; drop view reconcile.stored_download_keys;
            \(tables) \(TestDatabase.teamViews)
            insert into team.receipts (id, who, bundle, data, at)
            select 'r' || n || '-' || who, who, 'app', repeat('A', 1 << 19), now()
            from unnest(array[\(owners)]) as who, generate_series(1, 2) as n
            """)
        for name in Self.withoutReceipts {
            try await test.store(entitlement: "e-\(name)", of: name)
        }
        let batch = try await database.openedBatches(usersPerBatch: 99)[0]
        let portions = try await database.portions(
            of: batch, excluding: recorded.map { UserID($0) })
        let isLast = Array(repeating: false, count: count - 1) + [true]
        #expect(portions.map(\.isLast) == isLast)
        #expect(portions.map { $0.lastUser == nil } == isLast)
        let names = (Self.withReceipts + Self.withoutReceipts).filter { !recorded.contains($0) }
        check(portions, hold: names)
        // A group holds each named user, even without stored rows.
        let all = ["gone"] + Self.withReceipts + Self.withoutReceipts + ["", "zzz"]
        let groups = try await self.portions(of: batch, asGroup: all)
        #expect(groups.count == 3)
        check(groups, hold: all)
        for user in groups.flatMap(\.users) {
            let receipt = ReceiptID("r-\(user.user.text)")
            let refusal = RefusedReceipt(receipt: receipt, server: .production)
            #expect(user.firstPass?.refusals == [refusal])
        }
    }

    @Test("Data of a user over 64 MiB is not read", arguments: [nil, ["zoe", "max", "ann"]])
    func tooLarge(group: [String]?) async throws {
        try await execute(
            """
            insert into team.receipts (id, who, bundle, data, at) values
            ('r1', 'ann', 'app', repeat('A', 32 << 20), now()),
            ('r2', 'ann', 'app', repeat('A', (32 << 20) + 1), now()),
            ('m4', 'max', 'app', 'AAAA', now()), ('m5', 'max', null, null, null),
            ('r9', 'zoe', 'app', 'ZZZZ', now());
            insert into team.receipts (id, who, bundle, data, at)
            select 'm' || n, 'max', 'app', repeat('A', 23 << 20), now()
            from generate_series(1, 3) as n;
            """)
        try await test.store(entitlement: "e1", of: "max")
        let all = Batch(number: 1, users: ClosedUserRange(first: "ann", last: "zoe"))
        let portions = try await portions(of: all, asGroup: group)
        let users = portions.flatMap(\.users).sorted { $0.user < $1.user }
        #expect(users.map(\.user) == ["ann", "max", "zoe"])
        #expect(users.map(\.isTooLarge) == [false, true, false])
        // Only the beginning of a receipt over 32 MiB is read.
        let sizes = users.map { $0.receipts.map(\.data.text.count) }
        #expect(sizes == [[32 << 20, 1_000], [0, 0, 0, 0], [4]])
        #expect(users[1].invalidReceipts.map(\.id) == ["m5"])
        #expect(users[1].entitlements.map(\.id) == ["e1"])
    }

    @Test("Rows are read with all their columns, receipts byte for byte")
    func rows() async throws {
        try await execute(
            """
            insert into team.receipts (id, who, bundle, data, at) values
            ('r1', 'ann', 'app', E'MI\\tIé\\r\\n ', '2026-01-01 00:00:00.0019+00'),
            ('r2', 'bob', 'app', '', 'infinity'), ('r3', 'carl', 'app', 'AAAA', now()),
            (null, 'ann', 'app', 'AAAA', now()), ('r4', 'bob', null, 'AAAA', now());
            insert into team.entitlements (
                id, who, product, chain, active, expires, renews, ownership, source, at)
            values
            ('e1', 'ann', 'gold', '100', true, 'infinity', false, 'FAMILY_SHARED', 'app_store',
                '2026-01-01'),
            ('e2', 'bob', 'gold', null, false, null, null, 'HALF', 'promo', '2026-01-01');
            insert into team.entitlements (id, who) values ('e', 'ann')
            """)
        let portions = try await database.portions(of: batch)
        #expect(portions.map(\.isLast) == [true])
        let users = portions.flatMap(\.users)
        #expect(users.map(\.user) == ["ann", "bob"])
        let receipts = users.flatMap(\.receipts)
        #expect(receipts.map(\.id) == ["r1", "r2"])
        #expect(receipts.map(\.user) == ["ann", "bob"])
        #expect(receipts.map(\.data.text) == ["MI\tIé\r\n ".bytes, []])
        let day = Instant(milliseconds: 1_767_225_600_000)
        #expect(receipts.map(\.storedAt) == [day + .milliseconds(1), .distantFuture])
        let invalid: [InvalidStoredReceipt] = [
            .init(id: nil, user: "ann", bundle: "app"), .init(id: "r4", user: "bob", bundle: nil),
        ]
        #expect(users.flatMap(\.invalidReceipts) == invalid)
        #expect(
            users.flatMap(\.entitlements) == [
                StoredEntitlement(
                    id: "e1", user: "ann", product: "gold", originalTransaction: "100",
                    isActive: true, expiresAt: .distantFuture, autoRenew: false,
                    ownership: .familyShared, source: .appStore, updatedAt: day),
                StoredEntitlement(
                    id: "e2", user: "bob", product: "gold", isActive: false,
                    source: .other("promo"), updatedAt: day),
            ])
        let missing = ["product_id", "is_active", "source", "updated_at"]
        let entitlement = InvalidStoredEntitlement(id: "e", user: "ann", missing: missing)
        #expect(users.flatMap(\.invalidEntitlements) == [entitlement])
    }

    /// Before the second statement another session changes everything.
    @Test("Rows and history are read in one snapshot", arguments: [nil, ["ann", "bob", "anna"]])
    func oneSnapshot(group: [String]?) async throws {
        try await store(["r1": "ann"])
        try await test.store(entitlement: "e1", of: "ann")
        try await open(.test("1"))
        try await database.ledger.publish(RunID(text: "1"), at: .asOf, under: nil)
        try await execute(
            """
            insert into reconcile.ledger
            (first_run_no, first_seen, finding_id, state, kind, user_id, reference)
            select run_no, now(), md5('1')::uuid, 'open', 'active_not_granted', 'ann', ''
            from reconcile.run
            """)
        try await open()
        let change = """
            delete from team.receipts; delete from team.entitlements; delete from reconcile.ledger;
            insert into team.receipts (id, who, bundle, data, at)
            values ('r2', 'bob', 'app', 'BBBB', now());
            insert into team.entitlements (id, who) values ('e2', 'anna')
            """
        let proxy = try FaultProxy(before: test.url)
        proxy.before("from reconcile.stored_receipts".utf8) { [test] _ in
            Gate.blocking { try await test.execute(change) }
        }
        let reader = try await connect(through: proxy)
        let all = try await portions(of: batch, asGroup: group, over: reader).flatMap(\.users)
        let users = all.filter { !$0.receipts.isEmpty || !$0.entitlements.isEmpty }
        #expect(users.map(\.user) == ["ann"])
        #expect(users.flatMap(\.entitlements).map(\.id) == ["e1"])
        #expect(users.flatMap(\.receipts).map(\.id) == ["r1"])
        #expect(users.flatMap(\.history.open).map(\.identity.user) == ["ann"])
        // The next portion is read in the next snapshot.
        let next = try await database.portions(of: batch).flatMap(\.users)
        #expect(Set(next.map(\.user)) == ["anna", "bob"])
        #expect(next.allSatisfy { $0.history.entries.isEmpty })
    }

    /// The portions of `batch`, or of a group of the second look with these users.
    private func portions(
        of batch: Batch, asGroup users: [String]?, over reader: Database? = nil
    ) async throws -> [BatchPortion] {
        let reader = reader ?? database
        guard let users else { return try await reader.portions(of: batch) }
        let group = Batch(number: 1, users: nil, look: 2)
        var rest = users.map { RefusedUser.test(UserID($0), refused: ReceiptID("r-\($0)")) }
        var portions: [BatchPortion] = []
        while !rest.isEmpty {
            let read = try await reader.batches.group(rest, of: group, in: .test())
            let (portion, left) = try #require(read)
            #expect(left.count == rest.count - portion.users.count)
            #expect(portion.isLast == left.isEmpty)
            portions.append(portion)
            rest = left
        }
        return portions
    }

    /// Memory must not grow with the size of the stored receipts.
    private func check(_ portions: [BatchPortion], hold names: [String]) {
        for portion in portions {
            let sizes = portion.users.flatMap(\.receipts).map(\.data.text.count)
            #expect(sizes.reduce(0, +) <= 9 << 20)
            #expect(sizes.allSatisfy { $0 == 1 << 19 })
        }
        let users = portions.flatMap(\.users)
        #expect(users.map(\.user.text).sorted() == names.sorted())
        for user in users {
            let name = user.user.text
            #expect(user.receipts.count == (Self.withReceipts.contains(name) ? 2 : 0))
            let entitlements = Self.withoutReceipts.contains(name) ? 1 : 0
            #expect(user.entitlements.count == entitlements)
            #expect(!user.isTooLarge)
        }
    }
}
