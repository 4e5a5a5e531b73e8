internal import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("The second look and its controls in the database", .database)
struct SecondLookTests: DatabaseSuite {
    @Test("The second look begins once, when the first look is complete, and its groups are leased")
    func cut() async throws {
        let batches = try await night(["r-ann": "ann", "r-bob": "bob", "r-eve": "eve"])
        try await record(.test(batches[0], postponing: .test("ann", refused: "r")))
        try await record(.test(batches[1], postponing: .test("bob", refused: "r")))
        #expect(try await secondLook() == nil)
        #expect(try await lease(2, isFirstLook: false) == nil)
        try await record(.test(batches[2], .test("eve")))
        // Of many workers one succeeds.
        let cuts = try await withThrowingTaskGroup(of: [Int]?.self) { group in
            for _ in 0..<12 { group.addTask { try await secondLook() } }
            return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(cuts == [[1, 2]])
        let group = "select concat_ws(' ', batch_no, look, users, first_user) from reconcile.batch"
        #expect(try await texts(group + " where look <> 1") == ["4 2 2"])
        let standing = try await database.leases.standing(of: run, for: 1)
        #expect(standing.firstLookElsewhere == 0 && standing.batchesElsewhere == 1)
        // A group is leased only when one of the second look is asked for.
        #expect(try await database.leasedBatches() == [])
        #expect(try await lease(2, isFirstLook: false)?.number == 4)
    }

    @Test("No second look begins without put-off users or after the end", arguments: [true, false])
    func nobody(hasEnded: Bool) async throws {
        let batch = try await night(["r-ann": "ann"])[0]
        try await record(hasEnded ? .test(batch, postponing: .test()) : .test(batch, .test()))
        if hasEnded { try await database.runs.end(run, as: .abandoned, at: .asOf) }
        #expect(try await secondLook() == nil)
        #expect(try await database.reports.totals(of: run).batchesLeft == 0)
    }

    @Test(
        "A group has at most a hundred users",
        arguments: [(1, [1]), (100, [100]), (101, [100, 1]), (250, [100, 100, 50])])
    func groups(users: Int, sizes: [Int]) async throws {
        let batch = try await night(["r-ann": "ann"])[0]
        let ids: [ReceiptID] = ["r1", "r\"2,"]
        let records = (1...users).map {
            UserRecord.postponed(.test(UserID("u\($0)"), refused: ids[0], ids[1]))
        }
        try await record(BatchFlush(batch: batch, records: records, isDone: true))
        #expect(try await secondLook() == [sizes.count, users])
        var read: [[UserID]] = []
        for group in try await groups() {
            #expect(group.look == 2 && group.users == nil && group.attempts == 0)
            let postponed = try await database.secondLook.postponedUsers(of: group, in: run)
            read.append(postponed.map(\.user))
            #expect(postponed.allSatisfy { Set($0.refusals.keys) == Set(ids) })
        }
        #expect(read.map(\.count) == sizes)
        #expect(Set(read.joined()).count == users)
    }

    @Test("A group is postponed once, and leased again when it is due, or earlier on request")
    func postponed() async throws {
        let batch = try await night(["r-ann": "ann"])[0]
        try await record(.test(batch, postponing: .test(refused: "r")))
        _ = try await secondLook()
        let group = try #require(try await groups().first)
        try await database.leases.begin(group, of: run)
        try await database.secondLook.postpone(group, of: run, for: .seconds(3_600))
        #expect(try await groups() == [])
        #expect(try await database.leases.standing(of: run, for: 1).batchesElsewhere == 1)
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

    /// - Returns: the numbers of groups and users, if it begins.
    private func secondLook() async throws -> [Int]? {
        try await database.secondLook.cut(of: run).map { [$0.groups, $0.users] }
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

    @Test("Controls are drawn from a point on, and wrap around at the end")
    func wrapAround() async throws {
        try await recordOutcomes()
        let order = """
            from reconcile.outcome where outcome = 'verified' and environment = 'Production'
            order by md5(receipt_id)
            """
        let ids = try await texts("select receipt_id " + order)
        let places = try await texts("select md5(receipt_id) " + order).compactMap(\.self)
        #expect(ids.count == 30)
        for (point, count, start) in [
            (places[0], 12, 0), (places[1], 12, 1), (places[17], 12, 17), (places[29], 12, 29),
            (String(repeating: "f", count: 32), 5, 0), (places[7], 99, 7),
        ] {
            let drawn = try await controls(from: point, count: count).map(\.id.text)
            #expect(drawn == (0..<min(count, 30)).map { ids[(start + $0) % 30] })
        }
    }

    @Test("Controls are receipts that this run's server verified, as they are stored by now")
    func verifiedByServer() async throws {
        try await recordOutcomes()
        try await execute("update team.receipts set data = 'NEW', bundle = 'b' where id like 'p%'")
        let controls = try await controls()
        #expect(Set(controls.map(\.id.text)) == Set((1...30).map { "p\($0)" }))
        #expect(Set(controls.map(\.data.text)) == [Array("NEW".utf8)])
        #expect(controls.allSatisfy { $0.bundle == "b" && $0.user == "ann" })
        let sandbox = try await self.controls(by: .sandbox)
        #expect(Set(sandbox.map(\.id.text)) == Set((1...10).map { "s\($0)" }))
        #expect(try await self.controls(of: RunID(text: "other")).isEmpty)
    }

    @Test("A receipt that is gone, changed its user, is invalid or too large is not a control")
    func leftOut() async throws {
        try await recordOutcomes()
        for (number, change) in [
            "delete from team.receipts", "update team.receipts set who = 'bob'",
            "update team.receipts set who = null", "update team.receipts set bundle = null",
            "update team.receipts set data = null",
            "update team.receipts set data = repeat('A', 4194305)",
        ].enumerated() {
            try await execute(change + " where id = 'p\(number + 1)'")
            let left = (number + 2...30).map { "p\($0)" }
            #expect(Set(try await controls().map(\.id.text)) == Set(left))
        }
    }

    private func controls(
        of run: RunID = Run.test().id, by server: StoreEnvironment = .production,
        from point: String = String(repeating: "0", count: 32), count: Int = 99
    ) async throws -> [StoredReceipt] {
        try await database.secondLook.controls(
            of: run, verifiedBy: server, from: point, count: count)
    }

    /// A run with 30 receipts verified by production, 10 by the sandbox, and others not verified.
    private func recordOutcomes() async throws {
        var outcomes = (1...30).map { Outcome.verified(ReceiptID("p\($0)")) }
        outcomes += (1...10).map { .verified(ReceiptID("s\($0)"), by: .sandbox) }
        let others: [Validation] = [
            .rejected(.notAuthentic), .unverified(.timeout), .unusable(.empty),
        ]
        for validation in others {
            var outcome = Outcome.test(ReceiptID("x\(outcomes.count)"), validation)
            outcome.attempts.server = .production
            outcomes.append(outcome)
        }
        try await test.store(
            receipts: outcomes.compactMap(\.receipt).map { (id: $0.text, user: "ann") })
        let batch = try #require(try await database.openedBatches().first)
        try await record(.test(batch, .test(outcomes: outcomes)))
    }
}
