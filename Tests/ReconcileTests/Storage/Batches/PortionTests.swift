internal import Testing

@testable import Reconcile
@testable import TestSupport

/// Memory must not grow with the size of the stored receipts.
@Suite("Portions of a batch", .timeLimit(.minutes(10)))
struct PortionTests: DatabaseSuite {
    /// By bytes A comes before a, and before é; in the ICU collation a, A, b, B, e, é.
    private static let withReceipts = [
        "a", "A", "b", "B", "c", "d", "e", "é", "f", "F", "g", "h", "i", "j", "k", "z", "Z",
    ]
    private static let withoutReceipts = ["aa", "AA", "Bb", "ée", "ff", "kk", "zz", "ZZ"]

    @Test(
        "A range over 8 MiB comes in portions that hold every user once but the recorded ones",
        .database(.ownTables),
        arguments: [
            ("en-x-icu", 3, []), ("C", 3, []), ("und-x-icu", 3, []),
            ("en-x-icu", 2, ["a", "aa", "B", "é", "zz", "Z"]),
        ] as [(String, Int, [UserID])])
    func portions(collation: String, count: Int, recorded: [UserID]) async throws {
        try await storeMegabytes(collation: collation)
        let batch = try #require(try await database.openedBatches(usersPerBatch: 99).first)
        let portions = try await database.portions(of: batch, besides: recorded)
        let isLast = Array(repeating: false, count: count - 1) + [true]
        #expect(portions.map(\.isLast) == isLast)
        #expect(portions.map { $0.lastUser == nil } == isLast)
        let left = (Self.withReceipts + Self.withoutReceipts).filter {
            !recorded.contains(UserID($0))
        }
        check(portions, hold: left)
    }

    @Test(
        "A group holds each named user once, even a user without stored rows",
        .database(.ownTables))
    func group() async throws {
        try await storeMegabytes(collation: "en-x-icu")
        let names = ["gone"] + Self.withReceipts + Self.withoutReceipts + ["", "zzz"]
        var rest = names.map { PostponedUser.test(UserID($0), refused: ReceiptID("r-\($0)")) }
        var portions: [BatchPortion] = []
        while !rest.isEmpty {
            let (portion, left) = try await database.batches.group(
                rest, of: Batch(number: 1, users: nil, look: 2), in: .test())
            #expect(left.count == rest.count - portion.users.count)
            #expect(portion.isLast == left.isEmpty)
            portions.append(portion)
            rest = left
        }
        #expect(portions.count == 3)
        check(portions, hold: names)
        for user in portions.flatMap(\.users) {
            let receipt = ReceiptID("r-\(user.user?.text ?? "nobody")")
            #expect(user.firstLook?.refusals == [receipt: .production])
        }
    }

    @Test(
        "A user over 64 MiB comes without receipt data, and other users come with theirs",
        .database, arguments: [1, 2])
    func tooLarge(look: Int) async throws {
        try await execute(
            """
            insert into team.receipts values
            ('r1', 'ann', 'app', 'AAAA', now()), ('r9', 'zoe', 'app', 'ZZZZ', now()),
            ('m4', 'max', 'app', 'AAAA', now()), ('m5', 'max', null, null, null);
            insert into team.receipts
            select 'm' || n, 'max', 'app', repeat('A', 23 << 20), now()
            from generate_series(1, 3) as n;
            """)
        try await test.store(entitlement: "e1", of: "max")
        var users: [StoredUser] = []
        if look == 1 {
            let batch = Batch(number: 1, users: ClosedUserRange(first: "ann", last: "zoe"))
            users = try await database.portions(of: batch).flatMap(\.users)
        } else {
            let batch = Batch(number: 1, users: nil, look: 2)
            var rest: [PostponedUser] = [.test("zoe"), .test("max"), .test("ann")]
            for _ in 1...2 {
                let (portion, left) = try await database.batches.group(rest, of: batch, in: .test())
                users += portion.users
                rest = left
            }
        }
        users.sort { ($0.user ?? "") < ($1.user ?? "") }
        #expect(users.map(\.user) == ["ann", "max", "zoe"])
        #expect(users.map(\.isTooLarge) == [false, true, false])
        #expect(users.map(\.receipts.count) == [1, 4, 1])
        #expect(users.map { $0.receipts.allSatisfy(\.data.text.isEmpty) } == [false, true, false])
        #expect(users[1].invalidReceipts.map(\.id) == ["m5"])
        #expect(users[1].entitlements.map(\.id) == ["e1"])
    }

    @Test("Only the beginning of a receipt over 32 MiB is read", .database)
    func largeReceipt() async throws {
        try await execute(
            """
            insert into team.receipts values
            ('r1', 'ann', 'app', repeat('A', 32 << 20), now()),
            ('r2', 'ann', 'app', repeat('A', (32 << 20) + 1), now())
            """)
        let batch = Batch(number: 1, users: ClosedUserRange(first: "ann", last: "ann"))
        let users = try await database.portions(of: batch).flatMap(\.users)
        #expect(users.flatMap(\.receipts).map(\.data.text.count) == [32 << 20, 1_000])
        #expect(users.map(\.isTooLarge) == [false])
    }

    private func check(_ portions: [BatchPortion], hold names: [String]) {
        for portion in portions {
            let sizes = portion.users.flatMap(\.receipts).map(\.data.text.count)
            #expect(sizes.reduce(0, +) <= 9 << 20)
        }
        let users = portions.flatMap(\.users)
        #expect(users.compactMap(\.user?.text).sorted() == names.sorted())
        for user in users {
            let name = user.user?.text ?? "nobody"
            #expect(user.receipts.count == (Self.withReceipts.contains(name) ? 2 : 0))
            #expect(user.entitlements.count == (Self.withoutReceipts.contains(name) ? 1 : 0))
            #expect(user.receipts.allSatisfy { $0.data.text.count == 1 << 19 })
            #expect(!user.isTooLarge)
        }
    }

    /// 1 MiB of receipts for some users, an entitlement for others.
    private func storeMegabytes(collation: String) async throws {
        let names = Self.withReceipts.map { "'\($0)'" }.joined(separator: ", ")
        try await execute(
            TestDatabase.teamTables.replacing("en-x-icu", with: collation) + TestDatabase.teamViews
                + """
                insert into team.receipts
                select 'r' || n || '-' || who, who, 'app', repeat('A', 1 << 19), now()
                from unnest(array[\(names)]) as who, generate_series(1, 2) as n;
                """)
        for name in Self.withoutReceipts {
            try await test.store(entitlement: "e-\(name)", of: name)
        }
    }
}
