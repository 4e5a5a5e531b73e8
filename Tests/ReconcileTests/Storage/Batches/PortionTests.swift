internal import Testing

@testable import Reconcile
@testable import TestSupport

/// Memory must not grow with the size of the stored receipts.
@Suite("Portions of a batch", .timeLimit(.minutes(10)))
struct PortionTests {
    /// By bytes A comes before a, and before é; in the ICU collation a, A, b, B, e, é.
    private static let withReceipts = [
        "a", "A", "b", "B", "c", "d", "e", "é", "f", "F", "g", "h", "i", "j", "k", "z", "Z",
    ]
    private static let withoutReceipts = ["aa", "AA", "Bb", "ée", "ff", "kk", "zz", "ZZ"]

    @Test(
        "A range over 8 MiB comes in portions that together hold every user once",
        arguments: ["en-x-icu", "C", "und-x-icu"])
    func portions(collation: String) async throws {
        try await night(collation: collation) { test, database in
            let batch = try #require(try await database.openedBatches(usersPerBatch: 99).first)
            let portions = try await database.portions(of: batch)
            #expect(portions.count == 3)
            #expect(portions.map(\.isLast) == [false, false, true])
            #expect(portions.map { $0.lastUser != nil } == [true, true, false])
            for portion in portions { #expect(bytes(of: portion) <= 9 << 20) }
            let users = portions.flatMap(\.users)
            let expected = Self.withReceipts + Self.withoutReceipts
            #expect(users.compactMap(\.user?.text).sorted() == expected.sorted())
            for user in users {
                let hasReceipts = Self.withReceipts.contains(user.user?.text ?? "")
                #expect(user.receipts.count == (hasReceipts ? 2 : 0))
                #expect(user.entitlements.count == (hasReceipts ? 0 : 1))
                #expect(user.receipts.allSatisfy { $0.data.text.count == 1 << 19 })
                #expect(!user.isTooLarge)
            }
        }
    }

    @Test("Recorded users are left out of every portion")
    func portionsOfTheRest() async throws {
        try await night(collation: "en-x-icu") { _, database in
            let batch = try #require(try await database.openedBatches(usersPerBatch: 99).first)
            let recorded: [UserID] = ["a", "aa", "B", "é", "zz", "Z"]
            let portions = try await database.portions(of: batch, besides: recorded)
            #expect(portions.count == 2)
            let expected = Set(Self.withReceipts + Self.withoutReceipts)
                .subtracting(recorded.map(\.text))
            #expect(
                portions.flatMap(\.users).compactMap(\.user?.text).sorted() == expected.sorted())
        }
    }

    @Test("A group holds each named user once, even a user without stored rows")
    func group() async throws {
        try await night(collation: "en-x-icu") { _, database in
            let names = ["gone"] + Self.withReceipts + Self.withoutReceipts + ["", "zzz"]
            let users = names.map { PostponedUser.test(UserID($0), refused: ReceiptID("r-\($0)")) }
            let batch = Batch(number: 1, users: nil, look: 2)
            var rest = users
            var portions: [BatchPortion] = []
            while !rest.isEmpty {
                let (portion, left) = try await database.batches.group(
                    rest, of: batch, in: .test())
                #expect(left.count == rest.count - portion.users.count)
                #expect(portion.isLast == left.isEmpty)
                #expect(bytes(of: portion) <= 9 << 20)
                portions.append(portion)
                rest = left
            }
            #expect(portions.count == 3)
            let read = portions.flatMap(\.users)
            #expect(read.compactMap(\.user?.text).sorted() == names.sorted())
            for user in read {
                let name = user.user?.text ?? "nobody"
                #expect(user.receipts.count == (Self.withReceipts.contains(name) ? 2 : 0))
                #expect(user.entitlements.count == (Self.withoutReceipts.contains(name) ? 1 : 0))
                #expect(user.firstLook?.refusals == [ReceiptID("r-\(name)"): .production])
            }
        }
    }

    @Test(
        "A user over 64 MiB comes without receipt data, and other users come with theirs",
        arguments: [1, 2])
    func tooLarge(look: Int) async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute(
                """
                insert into team.receipts values
                ('r1', 'ann', 'app', 'AAAA', now()), ('r9', 'zoe', 'app', 'ZZZZ', now());
                insert into team.receipts
                select 'm' || n, 'max', 'app', repeat('A', 23 << 20), now()
                from generate_series(1, 3) as n;
                insert into team.receipts values ('m4', 'max', 'app', 'AAAA', now());
                insert into team.receipts (id, who) values ('m5', 'max');
                """)
            try await test.store(entitlement: "e1", of: "max")
            var users: [StoredUser]
            if look == 1 {
                let batch = Batch(number: 1, users: ClosedUserRange(first: "ann", last: "zoe"))
                users = try await database.portions(of: batch).flatMap(\.users)
            } else {
                let batch = Batch(number: 1, users: nil, look: 2)
                let names: [PostponedUser] = [.test("zoe"), .test("max"), .test("ann")]
                let (portion, rest) = try await database.batches.group(
                    names, of: batch, in: .test())
                users = portion.users
                users += try await database.batches.group(rest, of: batch, in: .test())
                    .portion.users
            }
            users.sort { ($0.user ?? "") < ($1.user ?? "") }
            #expect(users.map(\.user) == ["ann", "max", "zoe"])
            #expect(users.map(\.isTooLarge) == [false, true, false])
            #expect(users.map(\.receipts.count) == [1, 4, 1])
            #expect(
                users.map { $0.receipts.allSatisfy(\.data.text.isEmpty) } == [false, true, false])
            #expect(users[1].invalidReceipts.map(\.id) == ["m5"])
            #expect(users[1].entitlements.map(\.id) == ["e1"])
        }
    }

    @Test("Only the beginning of a receipt over 32 MiB is read")
    func largeReceipt() async throws {
        try await TestDatabase.connected { test, database in
            try await test.execute(
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
    }

    private func bytes(of portion: BatchPortion) -> Int {
        portion.users.flatMap(\.receipts).map(\.data.text.count).reduce(0, +)
    }

    /// 1 MiB of receipts for some users, an entitlement for others.
    private func night(
        collation: String, _ body: (TestDatabase, Database) async throws -> Void
    ) async throws {
        try await TestDatabase.connected(.ownTables) { test, database in
            let tables = TestDatabase.teamTables.replacing("en-x-icu", with: collation)
            try await test.execute(tables + TestDatabase.teamViews)
            func list(_ names: [String]) -> String {
                names.map { "'\($0)'" }.joined(separator: ", ")
            }
            try await test.execute(
                """
                insert into team.receipts
                select 'r' || n || '-' || who, who, 'app', repeat('A', 1 << 19), now()
                from unnest(array[\(list(Self.withReceipts))]) as who,
                    generate_series(1, 2) as n;
                """)
            for name in Self.withoutReceipts {
                try await test.store(entitlement: "e-\(name)", of: name)
            }
            try await body(test, database)
        }
    }
}
