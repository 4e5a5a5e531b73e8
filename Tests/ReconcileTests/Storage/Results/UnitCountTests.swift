import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case, copy a row: what each user's answers show, in the order of recording, and the
/// lines that are counted. The run counts 2026-09-19 to 2026-11-19; `Instant.asOf` is in the
/// evening of the Pacific day 2026-11-19.
@Suite("The units of a run", .database, .hangLimit)
struct UnitCountTests: DatabaseSuite {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let users: [[UnitSighting]]
        let lines: [UnitLine]

        init(_ label: String, _ users: [UnitSighting]..., counts lines: UnitLine...) {
            testDescription = label
            self.users = users
            self.lines = lines
        }
    }

    private static let cases = [
        Case("nothing", []),
        Case(
            "two purchases of one user on one day",
            [.sold(1, at: -5), .sold(2, at: -5, 3)],
            counts: .of("2026-11-14", sold: 4)),
        Case(
            "one purchase of each of two users", [.sold(1, at: -5)], [.sold(2, at: -5)],
            counts: .of("2026-11-14", sold: 2, customers: 2)),
        Case(
            "one purchase that two users show", [.sold(1, at: -5, 2)], [.sold(1, at: -5, 2)],
            counts: .of("2026-11-14", sold: 2, customers: 2)),
        Case(
            "it counts on the earliest day", [.sold(1, at: -5)], [.sold(1, at: -7)],
            counts: .of("2026-11-12", sold: 1, customers: 2)),
        Case(
            "it does not count when it was bought before the days", [.sold(1, at: -5)],
            [.sold(1, at: -400)]),
        Case(
            "at one instant it counts for the smaller app", [.sold(1, at: -5, bundle: "b")],
            [.sold(1, at: -5, bundle: "B")],
            counts: .of("2026-11-14", bundle: "B", sold: 1, customers: 2)),
        Case(
            "a purchase is sold once and refunded once", [.sold(1, at: -5), .refunded(1, at: -2)],
            [.refunded(1, at: -3)],
            counts: .of("2026-11-14", sold: 1), .of("2026-11-16", refunded: 1, customers: 2)),
        Case(
            "it is refunded or upgraded, whichever was first", [.refunded(1, at: -2)],
            [.upgraded(1, at: -3)],
            counts: .of("2026-11-16", upgraded: 1, customers: 2)),
        Case(
            "a trial is sold, too", [.trial(1, at: -5), .sold(2, at: -5)],
            counts: .of("2026-11-14", sold: 2, trials: 1)),
        Case(
            "the first and the last day, and those beside them",
            [.sold(1, at: -61.9), .sold(2, at: -61.7), .sold(3, at: 0.2), .sold(4, at: 0.3)],
            counts: .of("2026-09-19", sold: 1), .of("2026-11-19", sold: 1)),
        Case(
            "lines are in the order of days, apps and products",
            [
                .sold(1, at: -5, product: "b"), .sold(2, at: -5, product: "B"),
                .sold(3, at: -6, product: "z"), .sold(4, at: -5, product: "a", bundle: "zoo"),
            ],
            counts: .of("2026-11-13", product: "z", sold: 1),
            .of("2026-11-14", product: "B", sold: 1), .of("2026-11-14", product: "b", sold: 1),
            .of("2026-11-14", product: "a", bundle: "zoo", sold: 1)),
    ]

    /// Whether in one flush or in one for each user.
    @Test("Each purchase counts once, whoever shows it", arguments: cases, [true, false])
    func once(row: Case, atOnce: Bool) async throws {
        let batch = try await night(["r1": "ann"], usersPerBatch: 9)[0]
        let users = row.users.enumerated().map { number, units in
            var user = JudgedUser.test(UserID("u\(number)"))
            user.units = units
            return UserRecord.judged(Reference(user))
        }
        if atOnce {
            try await record(BatchFlush(batch: batch, records: users, isDone: true))
        } else {
            for user in users { try await record(BatchFlush(batch: batch, records: [user])) }
        }
        for _ in 1...2 { try await database.ledger.settle(.test(), guards: .off) { $0 } }
        #expect(try await lines() == row.lines)
        let sum = row.lines.reduce(into: UnitCounts()) { $0 += $1.counts }
        #expect(try await database.facts.units(of: run) == sum)
        #expect(try await texts("select run_no from reconcile.unit_sighting") == [])
    }

    @Test("A pruned run keeps the days that no later published run counts")
    func pruned() async throws {
        try await store(["r1": "ann"])
        for (run, days) in [("1", 62), ("2", 3)] {
            try await publish(
                Run(
                    id: RunID(text: run), asOf: Run.test().asOf, scope: .everything,
                    units: UnitWindow(days: days, before: Run.test().asOf)))
        }
        _ = try await database.pruning.prune(before: .day(2))
        let days = "select day::text from reconcile.units where run_id = '1' order by day"
        #expect(try await texts(days) == ["2026-11-14"])
        let kept = "select day::text from reconcile.units where run_id = '2' order by day"
        #expect(try await texts(kept) == ["2026-11-18"])
        #expect(try await runs(of: "2026-11-14", "2026-11-15", "2026-11-18") == ["1", "1", "2"])
        try await execute("update reconcile.run set state = 'held' where run_id = '2'")
        // Its units of the last day are deleted, so that it says nothing of it, and not 0.
        #expect(try await runs(of: "2026-11-14", "2026-11-15", "2026-11-18") == ["1", "1", nil])
    }

    @Test("The units of a day are those of the last started published run that counts it")
    func published() async throws {
        try await store(["r1": "ann"])
        for (run, days) in [("1", 62), ("2", 3)] {
            try await publish(
                Run(
                    id: RunID(text: run), asOf: Run.test().asOf, scope: .everything,
                    units: UnitWindow(days: days, before: Run.test().asOf)))
        }
        let units = try await database.units.published(in: days("2026-11-14", "2026-11-18"))
        #expect(units.runs.map(\.run.text) == ["1", "2"])
        #expect(units.figures.map(\.day.dayText) == ["2026-11-14", "2026-11-18"])
        #expect(units.figures.map(\.sold) == [1, 1])
        let both = ["2026-11-14", "2026-11-18"]
        let changes = [
            ("state = 'held'", "2", ["1", "1"]), ("state = 'published'", "2", ["1", "2"]),
            ("makes_history = false", "1", [nil, "2"]),
        ]
        for (change, run, expected) in changes {
            try await execute("update reconcile.run set \(change) where run_id = '\(run)'")
            #expect(try await runs(of: both[0], both[1]) == expected, "\(change) of \(run)")
        }
    }

    private func days(_ first: String, _ last: String) throws -> PacificDays {
        try #require(
            Instant(printedDay: first).flatMap { first in
                Instant(printedDay: last).flatMap { PacificDays(first: first, last: $0) }
            })
    }

    /// The run whose units of each day are compared with Apple's; nil when no run has any.
    private func runs(of days: String...) async throws -> [String?] {
        let range = try self.days(days.first ?? "", days.last ?? "")
        let units = try await database.units.published(in: range)
        return try days.map { day in
            let day = try #require(Instant(printedDay: day))
            return units.runOfDay[day].map { units.runs[$0].run.text }
        }
    }

    /// Two units, of two days.
    private func publish(_ run: Run) async throws {
        let batch = try await database.openedBatches(of: run)[0]
        var user = JudgedUser.test("ann")
        user.units = [.sold(1, at: -5), .sold(2, at: -1)]
        try await record(.test(batch, user), of: run)
        try await database.ledger.settle(run, guards: .off) { $0 }
        try await database.ledger.publish(run.id, at: .day(1), under: nil)
    }

    private func lines() async throws -> [UnitLine] {
        var lines: [UnitLine] = []
        for try await page in database.reports.units(of: run) { lines += page }
        return lines
    }
}
