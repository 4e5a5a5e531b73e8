import Testing

@testable import Reconcile
@testable import TestSupport

/// To add a case: spend `StoryNight`s, each with what changes before it and what it reports;
/// accept, retract or prune.
@Suite("Money, acceptances and the ledger over nightly runs", .database, .hangLimit)
struct NightTests: DatabaseSuite {
    @Test("A refund in two users' receipts counts its price once")
    func sharedRefund() async throws {
        let night = try await nights.night(.of("ann", .refunded("2")), .of("bob", .refunded("2")))
        #expect(night.reports == [.new(.refundRecorded, "ann", "bob")])
        #expect(night.findings.map(\.estimatedAmount) == ["9.99", nil])
        let estimate = " (estimate: the list price of 9.99 USD = 9.99 USD)."
        let explanations = night.findings.map(\.finding.explanation)
        #expect(explanations[0].hasSuffix(estimate))
        #expect(!explanations[1].contains("estimate"))
        #expect("\(night.summary.money)" == "leak 0.00 USD, owed 0.00 USD, refunded 9.99 USD")
        #expect(try await nights.night(.of("cyd", .refunded("2"))).summary.money == MoneyTally())
    }

    @Test("An accepted finding counts in neither money nor --fail-on until it expires")
    func accepted() async throws {
        let first = try await nights.night(
            .of("ann", .ended(), .granted), .of("bob", .earlier("2"), .granted))
        #expect("\(first.summary.money)" == "leak 8.33 USD, owed 0.00 USD, refunded 0.00 USD")
        let until = Instant.asOf + .seconds(7_200)
        let known = try await nights.accept(first.findings[0].id, until: until)
        #expect(known.kind == .expiredStillGranted)
        #expect(known.user == "ann")
        #expect(known.run == first.summary.run.id)
        let second = try await nights.night()
        #expect(
            second.reports == [
                .accepted(.expiredStillGranted, "ann"), .persisting(.expiredStillGranted, "bob"),
            ])
        #expect("\(second.summary.money)" == "leak 5.00 USD, owed 0.00 USD, refunded 0.00 USD")
        #expect(second.summary.findings.bySeverity == [.high: 2])
        #expect(second.summary.findings.open(.high) == 1)
        #expect(second.findings.map(\.exposureDays) == [nil, 15])
        #expect(second.findings.map(\.estimatedAmount) == [nil, "5.00"])
        #expect(second.findings.map(\.currency) == [nil, "USD"])
        let third = try await nights.night()
        #expect(third.reports == [.persisting(.expiredStillGranted, "ann", "bob")])
        #expect(third.summary.findings.open(.high) == 2)
    }

    @Test("A published finding can be accepted, cleared, and is accepted when it is reopened")
    func acceptedAndCleared() async throws {
        let failed = try await nights.night(.failed, .of("ann", .ended(), .granted))
        let id = failed.findings[0].id
        let run = failed.summary.run.id
        let text = """
            No published run has reported the finding \(id): it is of run \(run) (failed). Read it \
            with --run \(run); only what a published run has reported can be accepted.
            """
        #expect(try await databaseError { try await nights.accept(id) }.description == text)
        try await nights.night()
        for by in ["eve", "dan"] { _ = try await nights.accept(id, by: by) }
        try await nights.spend(
            StoryNight(.of("ann", .revoked), clears: [.of(.expiredStillGranted, "ann")]),
            StoryNight(.of("ann", .granted), reports: [.accepted(.expiredStillGranted, "ann")]))
        let by = "select accepted_by from reconcile.acceptance order by acceptance_no"
        #expect(try await texts(by) == ["eve", "dan"])
    }

    @Test("Runs are retracted newest first, each leaving the ledger as it was, byte for byte")
    func retract() async throws {
        // One user for each change that a run can make.
        let first = try await nights.night(
            .of("ann", .ended("1"), .granted), .of("dan", .ended("2"), .granted),
            .of("eve", .ended("3"), .granted), .of("fay", .ended("4"), .revoked))
        let middle = try await nights.ledger()
        let second = try await nights.night(.of("dan", .revoked))
        let before = try await nights.ledger()
        let undo = try await undoRows()
        let reports: [Reported] = [
            .new(.expiredStillGranted, "bob", "fay"), .reopened(.expiredStillGranted, "dan"),
            .new(.refundRecorded, "cyd"),
        ]
        let clears: [Cleared] = [.of(.expiredStillGranted, "ann")]
        try await nights.spend(
            StoryNight(
                .of("ann", .revoked), .of("dan", .granted), .of("fay", .granted),
                .of("eve", .silent), .of("bob", .ended("5"), .granted), .of("cyd", .refunded("6")),
                reports: reports, clears: clears))
        #expect(try await nights.ledger() != before)
        let refused = try await databaseError { try await nights.retract(2) }
        #expect("\(refused)".contains("is not the newest published run over everything"))
        let retraction = try await nights.retract(3)
        #expect(retraction.by == "eve")
        #expect(retraction.why == "a test")
        #expect(retraction.newest == second.summary.run.id)
        #expect(try await nights.ledger() == before)
        #expect(try await undoRows() == undo)
        try await nights.spend(StoryNight(reports: reports, clears: clears))
        try await nights.retract(4)
        #expect(try await nights.retract(2).newest == first.summary.run.id)
        #expect(try await nights.ledger() == middle)
        #expect(try await nights.retract(1).newest == nil)
        #expect(try await nights.ledger() == [])
    }

    /// What a retraction needs, each row with all its columns.
    private func undoRows() async throws -> [String?] {
        try await texts("select u::text from reconcile.ledger_undo as u order by 1")
    }

    @Test("A run cannot be retracted once it or the run before it was pruned")
    func retractPruned() async throws {
        try await nights.spend(
            StoryNight(
                .of("ann", .ended(), .granted), reports: [.new(.expiredStillGranted, "ann")]),
            StoryNight(reports: [.persisting(.expiredStillGranted, "ann")]))
        #expect(try await nights.prune(before: 2).runs == 1)
        let error = try await databaseError { try await nights.retract(2) }
        #expect(error.description.contains("was pruned"))
        try await nights.spend(
            StoryNight(.of("ann", .revoked), clears: [.of(.expiredStillGranted, "ann")]),
            StoryNight(),
            StoryNight(.prune(before: 4, runs: 2)))
        let ledger = try await nights.ledger()
        let writers = try await nights.ledgerWriters()
        _ = try await databaseError { try await nights.retract(3) }
        #expect(try await nights.ledger() == ledger)
        #expect(try await nights.ledgerWriters() == writers)
    }

    @Test("The last report of a finding stays while a run, a retraction or a report needs it")
    func lastReport() async throws {
        // The last two lines return to the report of the first night.
        try await nights.spend(
            StoryNight(
                .of("ann", .ended(), .granted), reports: [.new(.expiredStillGranted, "ann")]),
            StoryNight(.of("ann", .silent)),
            StoryNight(.of("ann", .ended()), reports: [.persisting(.expiredStillGranted, "ann")]),
            StoryNight(
                .prune(before: 2, runs: 1), .retract(3), .of("ann", .revoked),
                clears: [.of(.expiredStillGranted, "ann")]),
            StoryNight(.retract(4), clears: [.of(.expiredStillGranted, "ann")]))
        // Of the earlier runs only the retracted ones and those that were published remain.
        _ = try await nights.prune(before: 4)
        #expect(try await nights.cleared(by: 5) == [.of(.expiredStillGranted, "ann")])
        try await nights.spend(StoryNight())
        _ = try await nights.prune(before: 5)
        #expect(try await nights.cleared(by: 5) == [.of(.expiredStillGranted, "ann")])
        #expect(try await nights.prune(before: 6).runs == 1)
        #expect(try await nights.cleared(by: 5) == [])
        #expect(try await findings() == [])
        try await nights.spend(
            StoryNight(
                .of("ann", .granted, .ended()), reports: [.reopened(.expiredStillGranted, "ann")]))
    }

    @Test("A receipt without a kept answer is unverified in a replay")
    func replay() async throws {
        try await nights.night(.of("ann", .ended(), .granted))
        try await nights.spend(
            StoryNight(
                .of("zoe", .receipt("later")), .replay(1),
                reports: [.new(.expiredStillGranted, "ann")]))
        let ann = StoredOutcome("ann", .verified, attempts: 1)
        let later = StoredOutcome("later", .unverified(.noEvidence), attempts: 0)
        #expect(try await outcomes() == [ann, ann, later])
    }

    @Test("As many rows are listed as not reported as the controls' buckets count")
    func notReported() async throws {
        try await test.store(entitlement: "e-cyd", of: "cyd", source: "promo")
        try await test.store(entitlement: "e-dan", of: "dan", to: "nobody.sells")
        try await test.store(entitlement: "e-eve", of: "eve", isActive: nil)
        try await test.store(entitlement: "e-nobody", of: nil)
        let summary = try await nights.night(
            .of("ann", .recent(), .granted), .of("bob", .silent, .granted)
        ).summary
        let rows = try await database.reports.notReported(of: summary.run.id).reduce([], +)
        let expected = [
            NotReportedRow(nil, "e-nobody", .notJudged, .invalidRow),
            NotReportedRow("ann", "e-ann", .settling, .recent, kind: .expiredStillGranted),
            NotReportedRow(
                "bob", "e-bob", .unverified, .evidenceMissing, kind: .grantWithoutTransaction),
            NotReportedRow("cyd", "e-cyd", .notJudged, .source),
            NotReportedRow("dan", "e-dan", .notJudged, .productUnknown),
            NotReportedRow("eve", "e-eve", .notJudged, .invalidRow),
        ]
        #expect(rows == expected)
        let tally = summary.entitlements
        #expect([tally[.settling], tally[.unverified], tally[.notJudged]] == [1, 1, 4])
    }
}

extension NotReportedRow {
    fileprivate init(
        _ user: UserID?, _ entitlement: EntitlementID, _ bucket: NotReported.Bucket,
        _ cause: NotReported.Cause, kind: FindingKind? = nil
    ) {
        self.init(
            user: user,
            notReported: NotReported(
                entitlement: entitlement, bucket: bucket, kind: kind, cause: cause))
    }
}
