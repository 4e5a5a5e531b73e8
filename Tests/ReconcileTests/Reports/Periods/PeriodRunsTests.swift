import Testing

@testable import Reconcile

/// To add a case: nights by their day, and the days of a period.
@Suite("The runs of a period")
struct PeriodRunsTests {
    private static let history = [
        PeriodRuns.Night.night("2026-09-30"), .night("2026-10-20"), .night("2026-11-01"),
    ]

    private func runs(
        _ first: String, _ last: String, in history: [PeriodRuns.Night] = history
    ) throws -> PeriodRuns {
        let first = try #require(Instant(day: first))
        let last = try #require(Instant(day: last))
        return try PeriodRuns(of: #require(PacificDays(first: first, last: last)), in: history)
    }

    @Test("It opens with the last run before it, and closes with its last one")
    func chosen() throws {
        let october = try runs("2026-10-01", "2026-10-31")
        #expect(october.opening == .night("2026-09-30"))
        #expect(october.inside == [.night("2026-10-20")])
        #expect(!october.isOpen)
        let november = try runs("2026-11-01", "2026-11-30")
        #expect(november.opening == .night("2026-10-20"))
        #expect(november.closing == .night("2026-11-01"))
        #expect(november.isOpen)
        #expect(try runs("2026-09-01", "2026-09-30").opening == nil)
    }

    @Test("Without a run in it the message names the days and what there is")
    func missing() throws {
        let error = #expect(throws: PeriodRuns.Missing.self) {
            _ = try runs("2026-10-21", "2026-10-31")
        }
        #expect(
            error?.description
                == "No published run over everything is as of 2026-10-21 to 2026-10-31 (Pacific"
                + " time). There are runs from 2026-09-30 to 2026-11-01; reconcile-job runs lists"
                + " them.")
        let none = #expect(throws: PeriodRuns.Missing.self) {
            _ = try runs("2026-10-21", "2026-10-31", in: [])
        }
        #expect(none?.description.contains("There is none at all") == true)
    }

    @Test("A pruned run in it or before it is named, with the oldest one left")
    func pruned() throws {
        let history = [
            PeriodRuns.Night.night("2026-09-30", isPruned: true), .night("2026-10-20"),
        ]
        let error = #expect(throws: PeriodRuns.Missing.self) {
            _ = try runs("2026-10-01", "2026-10-31", in: history)
        }
        #expect(
            error?.description
                == "The rows of run \(history[0].run), as of 2026-09-30T12:00:00Z, were removed"
                + " (prune), so the period cannot be added up. The oldest run left is"
                + " \(history[1].run), as of 2026-10-20T12:00:00Z.")
    }
}
