import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: nights by `StoryChange`s, one a day from 2026-11-19 in California on, and what
/// moved in some of the days.
@Suite("What moved and happened in a period", .database, .hangLimit)
struct PeriodReaderTests: DatabaseSuite {
    /// What moved on the one line of subscriptions that ended and are still granted.
    private struct Moved: Equatable {
        var flows: [Movement.Flow: Int]
        var unjudgedAtOpening = 0
    }

    /// The day of a night, from 1.
    private func day(_ number: Int) -> Instant {
        Instant.day(Double(number - 1)).pacificDay
    }

    private func runs(_ first: Int, _ last: Int) async throws -> (PacificDays, PeriodRuns) {
        let days = try #require(PacificDays(first: day(first), last: day(last)))
        return (days, try PeriodRuns(of: days, in: try await database.periods.history()))
    }

    private func moved(_ first: Int, _ last: Int) async throws -> Moved? {
        let (_, runs) = try await runs(first, last)
        let lines = try await database.periods.movements(of: runs, nil)
        for line in lines { #expect(line.difference == nil, "\(line.name)") }
        let line = lines.first { $0.line.kind == .expiredStillGranted && !$0.line.isAccepted }
        return line.map {
            Moved(flows: $0.counts, unjudgedAtOpening: $0.unjudgedAtOpening)
        }
    }

    /// Six nights: `ann` stays, and cannot be judged in the third and fourth; `bob` is cleared and
    /// comes back; `dan` is new; `cyd` is accepted.
    private func spend() async throws {
        try await nights.night(
            .of("ann", .ended(), .granted), .of("bob", .ended("2"), .granted),
            .of("cyd", .earlier("3"), .granted))
        let second = try await nights.night(.day(1), .of("bob", .revoked))
        try await nights.night(.day(2), .of("ann", .silent), .of("bob", .granted))
        let cyd = try #require(second.findings.first { $0.finding.user == "cyd" })
        _ = try await nights.accept(cyd.id)
        try await nights.night(.day(3), .of("dan", .ended("4"), .granted))
        try await nights.night(.day(4), .of("ann", .ended()), .of("bob", .revoked))
        try await nights.night(.day(5))
    }

    @Test("New, reopened, cleared and moved findings tie, and what was not judged still stands")
    func ties() async throws {
        try await spend()
        #expect(try await moved(1, 1)?.flows == [.new: 3, .closing: 3])
        #expect(
            try await moved(2, 3)?.flows
                == [.opening: 3, .cleared: 1, .reopened: 1, .closing: 3, .unjudged: 1])
        #expect(
            try await moved(4, 4)
                == Moved(
                    flows: [.opening: 3, .new: 1, .moved: -1, .closing: 3, .unjudged: 1],
                    unjudgedAtOpening: 1))
        #expect(
            try await moved(5, 6)
                == Moved(flows: [.opening: 3, .cleared: 1, .closing: 2], unjudgedAtOpening: 1))
        #expect(
            try await moved(1, 6)?.flows
                == [.new: 4, .reopened: 1, .cleared: 2, .moved: -1, .closing: 2])
    }

    @Test("What a pruned run told last still stands at the opening, and what it cleared does not")
    func pruned() async throws {
        try await spend()
        let before = try await moved(4, 4)
        #expect(try await database.pruning.prune(before: .day(2)).runs == 2)
        #expect(try await moved(4, 4) == before)
        await #expect(throws: PeriodRuns.Missing.self) { _ = try await moved(3, 3) }
    }

    @Test("A retracted run is in no period, and the ledger before it is what stands")
    func retracted() async throws {
        try await spend()
        let before = try await moved(4, 4)
        try await nights.retract(6)
        try await nights.retract(5)
        #expect(try await moved(4, 4) == before)
        await #expect(throws: PeriodRuns.Missing.self) { _ = try await moved(5, 6) }
    }

    @Test("An event is told once with the run that told it, when it was reversed, and counted once")
    func events() async throws {
        try await nights.night(
            .of("ann", .refunded("2"), .revoked), .of("bob", .unlock("10", isRefunded: true)),
            .of("eve", .refunded("3")), .of("fay", .refunded("3")), .of("hal", .ended("4")))
        try await nights.night(.day(1), .of("ann", .running("2")))
        try await nights.night(.day(2), .of("bob", .unlock("11", isRefunded: false)))
        let (days, _) = try await runs(-9, 1)
        let period = FinancialPeriod(days)
        let refunds = try await database.periods.events(of: period, in: .refunds).reduce([], +)
        let users = refunds.map { $0.finding.user?.text ?? "" }
        #expect(users == ["ann", "bob", "eve", "fay"])
        #expect(refunds.map(\.isCounted) == [true, true, true, false])
        #expect(refunds.map(\.reversedAt) == [.day(1), .day(2), nil, nil])
        #expect(refunds.allSatisfy { $0.asOf == .asOf })
        let expired = try await database.periods.events(of: period, in: .expirations)
            .reduce([], +)
        #expect(expired.map { $0.finding.user } == ["hal"])
        let (today, _) = try await runs(1, 1)
        let none = database.periods.events(of: FinancialPeriod(today), in: .refunds)
        #expect(try await none.reduce([], +).isEmpty)
    }

    @Test("A refund that only the sweep of notices knows is among them")
    func swept() async throws {
        let batches = try await night()
        var row = ReportedFinding.test("f", .refundWithoutReceipt, user: nil) { finding in
            finding.eventAt = Run.test().asOf
            finding.productApple = "gold"
            finding.bundle = "app"
        }
        row.estimatedAmount = "9.99"
        row.currency = "USD"
        try await record(.test(batches[0], .test(findings: [row])))
        try await database.ledger.publish(run, at: Run.test().asOf, under: nil)
        let day = Run.test().asOf.pacificDay
        let days = try #require(PacificDays(first: day, last: day))
        let events = try await database.periods.events(of: FinancialPeriod(days), in: .refunds)
            .reduce([], +)
        #expect(events.map(\.finding.kind) == [.refundWithoutReceipt])
        let runs = try PeriodRuns(of: days, in: try await database.periods.history())
        let standing = try await database.periods.movements(of: runs, nil)
        #expect(standing == [])
        #expect(try await database.periods.hasFindings(of: "app"))
        #expect(try await !database.periods.hasFindings(of: "App"))
    }
}
