import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An accepted finding", .timeLimit(.minutes(10)))
struct AcceptanceTests {
    private static let ended = AppleAnswer.period("1", from: -40, to: -10)

    @Test("An accepted finding counts in neither money nor --fail-on until it expires")
    func accepted() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            try await nights.customer("bob", AppleAnswer.period("2", from: -45, to: -15))
            try await nights.test.store(
                entitlement: "e-bob", of: "bob", expires: "2026-12-10T02:00:00Z")
            let first = try await nights.night()
            #expect(
                first.summary.money.description
                    == "leak 8.33 USD, owed 0.00 USD, refunded 0.00 USD")
            let finding = try #require(
                try await first.findings().first { $0.finding.user == "ann" })
            let known = try await nights.database.acceptances.accept(
                Acceptance(
                    finding: finding.id, by: "eve", why: "a tester's account",
                    until: Instant.asOf + .seconds(7_200)))
            #expect(known.kind == .expiredStillGranted && known.user == "ann")
            #expect(known.run == first.summary.run.id)
            let second = try await nights.night()
            #expect(
                try await second.rows() == [
                    "expired_still_granted ann accepted", "expired_still_granted bob persisting",
                ])
            #expect(
                second.summary.money.description
                    == "leak 5.00 USD, owed 0.00 USD, refunded 0.00 USD")
            #expect(second.summary.findings.bySeverity == [.high: 2])
            #expect(second.summary.findings.open(.high) == 1)
            let amounts = try await second.findings().map { row in
                [row.exposureDays.map { String($0) }, row.estimatedAmount, row.currency]
            }
            #expect(amounts == [[nil, nil, nil], ["15", "5.00", "USD"]])
            #expect(try await second.findings().allSatisfy { $0.firstSeen == .asOf })
            let third = try await nights.night()
            #expect(try await third.rows().first == "expired_still_granted ann persisting")
            #expect(third.summary.findings.open(.high) == 2)
        }
    }

    @Test("An accepted finding can be cleared, and is still accepted when it is reopened")
    func cleared() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            let first = try await nights.night()
            let id = try #require(try await first.findings().first?.id)
            for by in ["eve", "dan"] {
                _ = try await nights.database.acceptances.accept(
                    Acceptance(finding: id, by: by, why: "known", until: nil))
            }
            try await nights.set("ann", isGranted: false)
            #expect(try await nights.night().cleared() == ["expired_still_granted ann"])
            try await nights.set("ann", isGranted: true)
            #expect(try await nights.night().rows() == ["expired_still_granted ann accepted"])
            #expect(
                try await nights.test.texts(
                    "select accepted_by from reconcile.acceptance order by acceptance_no")
                    == ["eve", "dan"])
        }
    }

    @Test("Only a finding that a published run reported can be accepted")
    func unknown() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            let failed = try await nights.night(ending: .failed)
            let id = try #require(try await failed.findings().first?.id)
            for finding in [id, String(repeating: "0", count: 32)] {
                let error = try await databaseError {
                    try await nights.database.acceptances.accept(
                        Acceptance(finding: finding, by: "eve", why: "known", until: nil))
                }
                guard case .refused(let why) = error.reason else {
                    Issue.record("unexpected \(error)")
                    return
                }
                #expect(why.hasPrefix("No published run has reported a finding \(finding)."))
                #expect(why.hasSuffix("Copy finding_id from a report."))
            }
        }
    }
}
