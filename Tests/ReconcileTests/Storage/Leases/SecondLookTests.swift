internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The second look in the database")
struct SecondLookTests {
    private static let run = Run.test().id

    @Test("The second look begins once, when the first look is complete")
    func cut() async throws {
        try await night(users: ["ann", "bob", "eve"]) { test, database, batches in
            #expect(try await database.secondLook.cut(of: Self.run) == nil)
            try await postponed("ann", in: batches[0], database)
            try await postponed("bob", in: batches[1], database)
            #expect(try await database.secondLook.cut(of: Self.run) == nil)
            _ = try await database.results.record([.test(batches[2], .test("eve"))], of: .test())
            let cut = try #require(try await database.secondLook.cut(of: Self.run))
            #expect(cut.groups == 1 && cut.users == 2)
            #expect(try await database.secondLook.cut(of: Self.run) == nil)
            #expect(
                try await test.texts(
                    "select concat_ws(' ', batch_no, look, users, first_user) from reconcile.batch"
                        + " where look <> 1") == ["4 2 2"])
            let standing = try await database.leases.standing(of: Self.run, for: 1)
            #expect(standing.firstLookElsewhere == 0 && standing.batchesElsewhere == 1)
        }
    }

    @Test("Of many workers that begin the second look at the same time one succeeds")
    func race() async throws {
        try await night(users: ["ann"]) { _, database, batches in
            try await postponed("ann", in: batches[0], database)
            let cuts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        try await database.secondLook.cut(of: Self.run) == nil ? 0 : 1
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(cuts == 1)
        }
    }

    @Test("There is no second look without put-off users or after the end of a run")
    func nobody() async throws {
        try await night(users: ["ann"]) { test, database, batches in
            _ = try await database.results.record([.test(batches[0], .test())], of: .test())
            #expect(try await database.secondLook.cut(of: Self.run) == nil)
            #expect(try await database.reports.totals(of: Self.run).batchesLeft == 0)
        }
        try await night(users: ["ann"]) { _, database, batches in
            try await postponed("ann", in: batches[0], database)
            try await database.runs.end(Self.run, as: .abandoned, at: .asOf)
            #expect(try await database.secondLook.cut(of: Self.run) == nil)
        }
    }

    @Test(
        "A group has at most a hundred users",
        arguments: [(1, [1]), (100, [100]), (101, [100, 1]), (250, [100, 100, 50])])
    func groups(users: Int, sizes: [Int]) async throws {
        try await night(users: ["ann"]) { test, database, batches in
            let records = (1...users).map {
                UserRecord.postponed(.test(UserID("u\($0)"), refused: "r"))
            }
            _ = try await database.results.record(
                [BatchFlush(batch: batches[0], records: records, isDone: true)], of: .test())
            let cut = try #require(try await database.secondLook.cut(of: Self.run))
            #expect(cut.groups == sizes.count && cut.users == users)
            var read: [[UserID]] = []
            for group in try await groups(database) {
                #expect(group.look == 2 && group.users == nil && group.attempts == 0)
                read.append(
                    try await database.secondLook.postponedUsers(of: group, in: Self.run).map(
                        \.user))
            }
            #expect(read.map(\.count) == sizes)
            #expect(Set(read.joined()).count == users)
        }
    }

    @Test("A put-off user has the refused receipts and the requests of the first look")
    func postponedUsers() async throws {
        try await night(users: ["ann"]) { _, database, batches in
            var requests = RequestRecord()
            requests.production = 3
            requests.sandbox = 2
            requests.retries = 1
            requests.statuses = [21_010, 21_007]
            requests.httpStatuses = [200]
            let ann = PostponedUser(
                user: "ann", refusals: ["r1": .production, "r\"2,": .sandbox], requests: requests)
            let bob = PostponedUser.test("bob", refused: "r3")
            _ = try await database.results.record(
                [.test(batches[0], postponing: bob, ann)], of: .test())
            _ = try await database.secondLook.cut(of: Self.run)
            let group = try #require(try await groups(database).first)
            let users = try await database.secondLook.postponedUsers(of: group, in: Self.run)
            #expect(users.map(\.user) == ["ann", "bob"])
            #expect(users.map(\.refusals) == [ann.refusals, bob.refusals])
            #expect(users.map(\.requests) == [requests, RequestRecord()])
            // A recorded user is not requested again.
            _ = try await database.results.record(
                [.test(group, .test(), isDone: false)], of: .test())
            let left = try await database.secondLook.postponedUsers(of: group, in: Self.run)
            #expect(left.map(\.user) == ["bob"])
        }
    }

    @Test("A group is leased only when one of the second look is asked for")
    func leases() async throws {
        try await night(users: ["ann", "bob"]) { _, database, batches in
            func group() async throws -> Batch? {
                try await database.leases.lease(
                    batchOf: Self.run, for: 2, besides: [], isFirstLook: false)
            }
            try await postponed("ann", in: batches[0], database)
            #expect(try await group() == nil)
            try await postponed("bob", in: batches[1], database)
            _ = try await database.secondLook.cut(of: Self.run)
            #expect(try await database.leasedBatches() == [])
            #expect(try await group()?.number == 3)
        }
    }

    @Test("A group is postponed once, and leased again when it is due, or earlier on request")
    func postponed() async throws {
        try await night(users: ["ann"]) { test, database, batches in
            try await postponed("ann", in: batches[0], database)
            _ = try await database.secondLook.cut(of: Self.run)
            let group = try #require(try await groups(database).first)
            try await database.leases.begin(group, of: Self.run)
            try await database.secondLook.postpone(group, of: Self.run, for: .seconds(3_600))
            #expect(try await groups(database) == [])
            let standing = try await database.leases.standing(of: Self.run, for: 1)
            #expect(standing.batchesElsewhere == 1)
            let early = try #require(try await groups(database, early: true).first)
            #expect(early.number == group.number && early.look == 3 && early.attempts == 0)
            #expect(early.lease == group.lease + 1)
            try await database.leases.release(of: Self.run, for: 1)
            try await test.execute("update reconcile.batch set not_before = now()")
            let due = try #require(try await groups(database).first)
            #expect(due.look == 3)
            // A third look is the last, and with an old lease nothing is postponed.
            try await database.secondLook.postpone(due, of: Self.run, for: .zero)
            try await database.secondLook.postpone(group, of: Self.run, for: .zero)
            #expect(try await groups(database).map(\.look) == [3])
        }
    }

    private func groups(_ database: Database, early: Bool = false) async throws -> [Batch] {
        var groups: [Batch] = []
        while let group = try await database.leases.lease(
            batchOf: Self.run, for: 1, besides: groups.map(\.number), isFirstLook: false,
            early: early)
        {
            groups.append(group)
        }
        return groups
    }

    private func postponed(
        _ user: UserID, in batch: Batch, _ database: Database
    ) async throws {
        let result = try await database.results.record(
            [.test(batch, postponing: .test(user, refused: "r"))], of: .test())
        #expect(result.held == [batch.number])
    }

    /// An open run with one batch for each user, all leased.
    private func night(
        users: [String], _ body: (TestDatabase, Database, [Batch]) async throws -> Void
    ) async throws {
        try await TestDatabase.connected { test, database in
            try await test.store(receipts: users.map { (id: "r-\($0)", user: $0) })
            try await body(test, database, try await database.openedBatches())
        }
    }
}
