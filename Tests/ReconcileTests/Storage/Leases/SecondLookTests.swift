internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The second look in the database", .database)
struct SecondLookTests: DatabaseSuite {
    @Test("The second look begins once, when the first look is complete, and its groups are leased")
    func cut() async throws {
        let batches = try await night(["r-ann": "ann", "r-bob": "bob", "r-eve": "eve"])
        #expect(try await secondLook() == nil)
        try await postpone("ann", in: batches[0])
        try await postpone("bob", in: batches[1])
        #expect(try await secondLook() == nil)
        #expect(try await lease(2, isFirstLook: false) == nil)
        try await record(.test(batches[2], .test("eve")))
        let cut = try #require(try await secondLook())
        #expect(cut.groups == 1 && cut.users == 2)
        #expect(try await secondLook() == nil)
        let group = "select concat_ws(' ', batch_no, look, users, first_user) from reconcile.batch"
        #expect(try await texts(group + " where look <> 1") == ["4 2 2"])
        let standing = try await database.leases.standing(of: run, for: 1)
        #expect(standing.firstLookElsewhere == 0 && standing.batchesElsewhere == 1)
        // A group is leased only when one of the second look is asked for.
        #expect(try await database.leasedBatches() == [])
        #expect(try await lease(2, isFirstLook: false)?.number == 4)
    }

    @Test("Of many workers that begin the second look at the same time one succeeds")
    func race() async throws {
        try await postpone("ann", in: try await night(["r-ann": "ann"])[0])
        let cuts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<12 {
                group.addTask { try await secondLook() == nil ? 0 : 1 }
            }
            return try await group.reduce(0, +)
        }
        #expect(cuts == 1)
    }

    @Test(
        "There is no second look without put-off users or after the end of a run",
        arguments: [true, false])
    func nobody(hasEnded: Bool) async throws {
        let batch = try await night(["r-ann": "ann"])[0]
        if hasEnded {
            try await postpone("ann", in: batch)
            try await database.runs.end(run, as: .abandoned, at: .asOf)
        } else {
            try await record(.test(batch, .test()))
        }
        #expect(try await secondLook() == nil)
        #expect(try await database.reports.totals(of: run).batchesLeft == 0)
    }

    @Test(
        "A group has at most a hundred users",
        arguments: [(1, [1]), (100, [100]), (101, [100, 1]), (250, [100, 100, 50])])
    func groups(users: Int, sizes: [Int]) async throws {
        let batch = try await night(["r-ann": "ann"])[0]
        let records = (1...users).map {
            UserRecord.postponed(.test(UserID("u\($0)"), refused: "r"))
        }
        try await record(BatchFlush(batch: batch, records: records, isDone: true))
        let cut = try #require(try await secondLook())
        #expect(cut.groups == sizes.count && cut.users == users)
        var read: [[UserID]] = []
        for group in try await groups() {
            #expect(group.look == 2 && group.users == nil && group.attempts == 0)
            read.append(try await postponed(of: group).map(\.user))
        }
        #expect(read.map(\.count) == sizes)
        #expect(Set(read.joined()).count == users)
    }

    @Test("A put-off user has the refused receipts and the requests of the first look")
    func postponedUsers() async throws {
        let batch = try await night(["r-ann": "ann"])[0]
        var requests = RequestRecord()
        requests.production = 3
        requests.sandbox = 2
        requests.retries = 1
        requests.statuses = [21_010, 21_007]
        requests.httpStatuses = [200]
        let ann = PostponedUser(
            user: "ann", refusals: ["r1": .production, "r\"2,": .sandbox], requests: requests)
        let bob = PostponedUser.test("bob", refused: "r3")
        try await record(.test(batch, postponing: bob, ann))
        let rows = try await texts(
            """
            select concat_ws(' ', put_off_by, batch_no, user_id, requests_production,
                requests_sandbox, requests_retries, refused_receipts, refused_by, statuses,
                http_statuses)
            from reconcile.second_look where user_id = 'ann'
            """)
        #expect(rows == [#"1 ann 3 2 1 {"r\"2,",r1} {Sandbox,Production} {21010,21007} {200}"#])
        #expect(try await database.reports.totals(of: run).requests.sent == 0)
        let recorded = try await database.batches.recordedUsers(of: batch, in: run)
        #expect(Set(recorded) == ["ann", "bob"])
        _ = try await secondLook()
        let group = try #require(try await groups().first)
        let users = try await postponed(of: group)
        #expect(users.map(\.user) == ["ann", "bob"])
        #expect(users.map(\.refusals) == [ann.refusals, bob.refusals])
        #expect(users.map(\.requests) == [requests, RequestRecord()])
        // A recorded user is not requested again.
        try await record(.test(group, .test(), isDone: false))
        #expect(try await postponed(of: group).map(\.user) == ["bob"])
    }

    @Test("A group is postponed once, and leased again when it is due, or earlier on request")
    func postponed() async throws {
        try await postpone("ann", in: try await night(["r-ann": "ann"])[0])
        _ = try await secondLook()
        let group = try #require(try await groups().first)
        try await database.leases.begin(group, of: run)
        try await database.secondLook.postpone(group, of: run, for: .seconds(3_600))
        #expect(try await groups() == [])
        let standing = try await database.leases.standing(of: run, for: 1)
        #expect(standing.batchesElsewhere == 1)
        let early = try #require(try await groups(early: true).first)
        #expect(early.number == group.number && early.look == 3 && early.attempts == 0)
        #expect(early.lease == group.lease + 1)
        try await database.leases.release(of: run, for: 1)
        try await execute("update reconcile.batch set not_before = now()")
        let due = try #require(try await groups().first)
        #expect(due.look == 3)
        // A third look is the last, and with an old lease nothing is postponed.
        try await database.secondLook.postpone(due, of: run, for: .zero)
        try await database.secondLook.postpone(group, of: run, for: .zero)
        #expect(try await groups().map(\.look) == [3])
    }

    private func secondLook() async throws -> (groups: Int, users: Int)? {
        try await database.secondLook.cut(of: run).map { ($0.groups, $0.users) }
    }

    private func postponed(of group: Batch) async throws -> [PostponedUser] {
        try await database.secondLook.postponedUsers(of: group, in: run)
    }

    private func groups(early: Bool = false) async throws -> [Batch] {
        var groups: [Batch] = []
        while let group = try await lease(
            besides: groups.map(\.number), isFirstLook: false, early: early)
        {
            groups.append(group)
        }
        return groups
    }

    private func postpone(_ user: UserID, in batch: Batch) async throws {
        let result = try await record(.test(batch, postponing: .test(user, refused: "r")))
        #expect(result.held == [batch.number])
    }
}
