import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Money, acceptances and the ledger over nightly runs", .database, .timeLimit(.minutes(10)))
struct NightTests: DatabaseSuite {
    private let leak = "expired_still_granted"

    @Test("A refund in two users' receipts counts its price once")
    func sharedRefund() async throws {
        let night = try await nights.night("ann refunded:2; bob refunded:2")
        #expect(night.rows == "refund_recorded new ann bob")
        #expect(night.findings.map(\.estimatedAmount) == ["9.99", nil])
        let estimate = " (estimate: the list price of 9.99 USD = 9.99 USD)."
        let explanations = night.findings.map(\.finding.explanation)
        #expect(explanations[0].hasSuffix(estimate))
        #expect(!explanations[1].contains("estimate"))
        #expect("\(night.summary.money)" == "leak 0.00 USD, owed 0.00 USD, refunded 9.99 USD")
        #expect(try await nights.night("cyd refunded:2").summary.money == MoneyTally())
    }

    @Test("An accepted finding counts in neither money nor --fail-on until it expires")
    func accepted() async throws {
        let first = try await nights.night("ann ended granted; bob earlier:2 granted")
        #expect("\(first.summary.money)" == "leak 8.33 USD, owed 0.00 USD, refunded 0.00 USD")
        let until = Instant.asOf + .seconds(7_200)
        let known = try await nights.accept(first.findings[0].id, until: until)
        #expect(known.kind == .expiredStillGranted)
        #expect(known.user == "ann")
        #expect(known.run == first.summary.run.id)
        let second = try await nights.night()
        #expect(second.rows == "\(leak) accepted ann, \(leak) persisting bob")
        #expect("\(second.summary.money)" == "leak 5.00 USD, owed 0.00 USD, refunded 0.00 USD")
        #expect(second.summary.findings.bySeverity == [.high: 2])
        #expect(second.summary.findings.open(.high) == 1)
        #expect(second.findings.map(\.exposureDays) == [nil, 15])
        #expect(second.findings.map(\.estimatedAmount) == [nil, "5.00"])
        #expect(second.findings.map(\.currency) == [nil, "USD"])
        let third = try await nights.night()
        #expect(third.rows == "\(leak) persisting ann bob")
        #expect(third.summary.findings.open(.high) == 2)
    }

    @Test("A published finding can be accepted, cleared, and is accepted when it is reopened")
    func acceptedAndCleared() async throws {
        let failed = try await nights.night("failed; ann ended granted")
        let id = failed.findings[0].id
        let run = failed.summary.run.id
        let text = """
            No published run has reported the finding \(id): it is of run \(run) (failed). Read it \
            with --run \(run); only what a published run has reported can be accepted.
            """
        #expect(try await databaseError { try await nights.accept(id) }.description == text)
        try await nights.night()
        for by in ["eve", "dan"] { _ = try await nights.accept(id, by: by) }
        try await nights.spend("ann revoked | | \(leak) ann\nann granted | \(leak) accepted ann")
        let by = "rank() over (order by acceptance_no), accepted_by"
        #expect(try await test.list(by, of: "acceptance") == "1 eve, 2 dan")
    }

    @Test("Runs are retracted newest first, each leaving the ledger as it was, byte for byte")
    func retract() async throws {
        // One user for each change that a run can make.
        let first = try await nights.night(
            "ann ended:1 granted; dan ended:2 granted; eve ended:3 granted; fay ended:4 revoked")
        let middle = try await nights.ledger("l::text")
        let second = try await nights.night("dan revoked")
        let before = try await nights.ledger("l::text")
        let undo = try await test.list("u", of: "ledger_undo as u")
        let changes = "ann revoked; dan granted; fay granted; eve silent; bob ended:5 granted; "
        let told = "\(leak) new bob fay, \(leak) reopened dan, refund_recorded new cyd"
        let third = "| \(told) | \(leak) ann"
        try await nights.spend(changes + "cyd refunded:6 " + third)
        #expect(try await nights.ledger("l::text") != before)
        let refused = try await databaseError { try await nights.retract(2) }
        #expect("\(refused)".contains("is not the newest published run over everything"))
        let retraction = try await nights.retract(3)
        #expect(retraction.by == "eve")
        #expect(retraction.why == "a test")
        #expect(retraction.newest == second.summary.run.id)
        #expect(try await nights.ledger("l::text") == before)
        #expect(try await test.list("u", of: "ledger_undo as u") == undo)
        try await nights.spend(third)
        try await nights.retract(4)
        #expect(try await nights.retract(2).newest == first.summary.run.id)
        #expect(try await nights.ledger("l::text") == middle)
        #expect(try await nights.retract(1).newest == nil)
        #expect(try await nights.ledger("l::text") == [])
    }

    @Test("A run cannot be retracted once it or the run before it was pruned")
    func retractPruned() async throws {
        try await nights.spend("ann ended granted | \(leak) new ann\n| \(leak) persisting ann")
        #expect(try await nights.prune(before: 2).runs == 1)
        let error = try await databaseError { try await nights.retract(2) }
        #expect(error.description.contains("was pruned"))
        try await nights.spend("ann revoked | | \(leak) ann\n|\nprune 4 2 |")
        let ledger = try await nights.ledger()
        _ = try await databaseError { try await nights.retract(3) }
        #expect(try await nights.ledger() == ledger)
    }

    @Test("The last report of a finding stays while a run, a retraction or a report needs it")
    func lastReport() async throws {
        // The last two lines return to the report of the first night.
        try await nights.spend(
            """
            ann ended granted | \(leak) new ann
            ann silent |
            ann ended | \(leak) persisting ann
            prune 2 1; retract 3; ann revoked | | \(leak) ann
            retract 4 | | \(leak) ann
            """)
        // Of the earlier runs only the retracted ones and those that were published remain.
        _ = try await nights.prune(before: 4)
        #expect(try await nights.cleared(by: 5) == "\(leak) ann")
        try await nights.spend("|")
        _ = try await nights.prune(before: 5)
        #expect(try await nights.cleared(by: 5) == "\(leak) ann")
        #expect(try await nights.prune(before: 6).runs == 1)
        #expect(try await [nights.cleared(by: 5), findings()] == ["", ""])
        try await nights.spend("ann granted ended | \(leak) reopened ann")
    }

    @Test("A receipt without a kept answer is unverified in a replay")
    func replay() async throws {
        try await nights.night("ann ended granted")
        try await nights.spend("zoe receipt:later; replay 1 | \(leak) new ann")
        let outcomes = "ann verified 1, ann verified 1, later unverified no_evidence 0"
        #expect(try await self.outcomes() == outcomes)
    }

    @Test("As many rows are listed as not reported as the controls' buckets count")
    func notReported() async throws {
        try await test.store(entitlement: "e-cyd", of: "cyd", source: "promo")
        try await test.store(entitlement: "e-dan", of: "dan", to: "nobody.sells")
        try await test.store(entitlement: "e-eve", of: "eve", isActive: nil)
        try await test.store(entitlement: "e-nobody", of: nil)
        let summary = try await nights.night("ann recent granted; bob silent granted").summary
        let rows = try await database.reports.notReported(of: summary.run.id).reduce([], +)
        let told = rows.map { row in
            let why = row.notReported
            let owner = [row.user?.text, why.entitlement?.text, why.bucket.rawValue]
            let cells = owner + [why.kind?.rawValue, why.cause.rawValue]
            return cells.map { $0 ?? "-" }.joined(separator: " ")
        }
        #expect(
            told == [
                "- e-nobody not_judged - invalid_row", "ann e-ann settling \(leak) recent",
                "bob e-bob unverified grant_without_transaction evidence_missing",
                "cyd e-cyd not_judged - source", "dan e-dan not_judged - product_unknown",
                "eve e-eve not_judged - invalid_row",
            ])
        let tally = summary.entitlements
        #expect([tally[.settling], tally[.unverified], tally[.notJudged]] == [1, 1, 4])
    }
}
