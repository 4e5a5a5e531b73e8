import Testing

@testable import Reconcile
@testable import TestSupport

/// Replays, retracted and pruned runs, and rows that the reports leave out.
@Suite("The ledger over several nightly runs", .nights, .timeLimit(.minutes(10)))
struct LedgerNightTests: NightSuite {
    private static let ann = "expired_still_granted ann"

    @Test("A replay takes the lifecycle from the replayed run, and leaves no trace")
    func replay() async throws {
        try await customer("ann", AppleAnswer.ended(), isGranted: true)
        try await customer("cyd", AppleAnswer.refunded())
        let rows = "\(Self.ann) new, refund_recorded cyd new"
        let first = try await night(rows)
        let second = try await night("\(Self.ann) persisting")
        let ledger = try await ledger()
        let again = try await night("\(Self.ann) persisting", replaying: second)
        #expect(try await again.findings().map(\.firstSeen) == [.asOf])
        #expect(again.summary.facts.previousRun == first.summary.run.id)
        let oldest = try await night(rows, replaying: first)
        #expect(oldest.summary.facts.previousRun == nil)
        #expect(try await self.ledger() == ledger)
        try await night("\(Self.ann) persisting")
    }

    @Test("Runs are retracted newest first, each leaving the ledger as it was, byte for byte")
    func retract() async throws {
        // One user for each change that a run can make.
        for user in ["ann", "dan", "eve", "fay"] {
            try await customer(user, AppleAnswer.ended("1\(user)"), isGranted: user != "fay")
        }
        let first = try await night()
        let middle = try await ledgerRows()
        try await set("dan", isGranted: false)
        let second = try await night()
        let before = try await ledgerRows()
        let undo = "select u::text from reconcile.ledger_undo as u order by 1"
        let undoBefore = try await test.texts(undo)
        for (user, isGranted) in [("ann", false), ("dan", true), ("fay", true)] {
            try await set(user, isGranted: isGranted)
        }
        silence("eve")
        try await customer("bob", AppleAnswer.ended("1bob"), isGranted: true)
        try await customer("cyd", AppleAnswer.refunded())
        let leak = "expired_still_granted"
        let rows =
            "\(leak) bob new, \(leak) dan reopened, \(leak) fay new, refund_recorded cyd new"
        let third = try await night(rows, cleared: Self.ann)
        #expect(try await ledgerRows() != before)
        let refused = try await databaseError { try await retract(second) }
        #expect("\(refused)".contains("is not the newest published run over everything"))
        let retraction = try await retract(third)
        #expect(retraction.by == "eve" && retraction.why == "a test")
        #expect(retraction.newest == second.summary.run.id)
        #expect(try await ledgerRows() == before)
        #expect(try await test.texts(undo) == undoBefore)
        let again = try await night(rows, cleared: Self.ann)
        try await retract(again)
        #expect(try await retract(second).newest == first.summary.run.id)
        #expect(try await ledgerRows() == middle)
        #expect(try await retract(first).newest == nil)
        #expect(try await ledgerRows() == [])
    }

    @Test("As many rows are listed as not reported as the controls' buckets count")
    func notReported() async throws {
        try await customer(
            "ann", AppleAnswer.period("1", from: -30.5, to: -0.5), isGranted: true)
        try await customer("bob", AppleAnswer.ended(), isGranted: true)
        silence("bob")
        try await test.store(entitlement: "e-cyd", of: "cyd", source: "promo")
        try await test.store(entitlement: "e-dan", of: "dan", to: "nobody.sells")
        try await test.store(entitlement: "e-eve", of: "eve", isActive: nil)
        try await test.store(entitlement: "e-nobody", of: nil)
        let summary = try await night().summary
        var rows: [NotReportedRow] = []
        for try await page in database.reports.notReported(of: summary.run.id) { rows += page }
        #expect(
            rows.map { row in
                [
                    row.user?.text ?? "-", row.notReported.entitlement?.text ?? "-",
                    row.notReported.bucket.rawValue, row.notReported.kind?.rawValue ?? "-",
                    row.notReported.cause.rawValue,
                ].joined(separator: " ")
            } == [
                "- e-nobody not_judged - invalid_row",
                "ann e-ann settling expired_still_granted recent",
                "bob e-bob unverified grant_without_transaction evidence_missing",
                "cyd e-cyd not_judged - source", "dan e-dan not_judged - product_unknown",
                "eve e-eve not_judged - invalid_row",
            ])
        let tally = summary.entitlements
        #expect([tally.settling, tally.unverified, tally.notJudged] == [1, 1, 4])
    }

    @Test("The last report of a finding stays while a run, a retraction or a report needs it")
    func lastReport() async throws {
        try await customer("ann", AppleAnswer.ended(), isGranted: true)
        try await night("\(Self.ann) new")
        silence("ann")
        try await night("")
        answer("ann", AppleAnswer.ended())
        let third = try await night("\(Self.ann) persisting")
        #expect(try await prune(before: 2).runs == 1)
        // The report that a retraction returns to.
        try await retract(third)
        try await set("ann", isGranted: false)
        try await retract(try await night("", cleared: Self.ann))
        let again = try await night("", cleared: Self.ann)
        // Of the earlier runs only the retracted ones and those that were published remain.
        _ = try await prune(before: 4)
        #expect(try await again.cleared() == Self.ann)
        #expect(again.summary.facts.cleared == 1)
        // Until the run that cleared it is pruned.
        try await night("")
        _ = try await prune(before: 5)
        #expect(try await again.cleared() == Self.ann)
        #expect(try await prune(before: 6).runs == 1)
        #expect(try await again.cleared() == "")
        #expect(try await test.texts("select kind from reconcile.finding") == [])
        try await set("ann", isGranted: true)
        try await night("\(Self.ann) reopened")
    }

    @Test("The last report of a finding that an outage keeps open stays, and can be cleared")
    func held() async throws {
        try await customer("ann", AppleAnswer.ended(), isGranted: true)
        try await night("\(Self.ann) new")
        silence("ann")
        for _ in 0..<2 { try await night("") }
        #expect(try await prune(before: 3).runs == 2)
        try await set("ann", isGranted: false)
        try await night("", cleared: Self.ann)
    }

    @Test("An event is not reported again when the run that reported it was pruned")
    func events() async throws {
        try await customer("ann", AppleAnswer.ended())
        try await night("expired ann new")
        try await night("")
        #expect(try await prune(before: 2).findings == 1)
        try await night("")
    }

    @Test("A shared purchase stays open though the run that showed it last was pruned")
    func sharedStaysOpen() async throws {
        try await customer("ann", AppleAnswer.running(), isGranted: true)
        try await customer("bob", AppleAnswer.running())
        try await night("active_not_granted bob new, shared_original_transaction ann new")
        silence("bob")
        #expect(try await night().cleared() == "")
        #expect(try await prune(before: 2).runs == 1)
        #expect(try await !night().cleared().contains("shared_original_transaction"))
    }

    @Test("A run cannot be retracted once it or the run before it was pruned")
    func retracted() async throws {
        try await customer("ann", AppleAnswer.ended(), isGranted: true)
        _ = try await night()
        let second = try await night()
        #expect(try await prune(before: 2).runs == 1)
        let error = try await databaseError { try await retract(second) }
        #expect(error.description.contains("was pruned"))
        try await set("ann", isGranted: false)
        let third = try await night("", cleared: Self.ann)
        _ = try await night()
        #expect(try await prune(before: 4).runs == 2)
        let ledger = try await ledgerRows()
        _ = try await databaseError { try await retract(third) }
        #expect(try await ledgerRows() == ledger)
    }
}
