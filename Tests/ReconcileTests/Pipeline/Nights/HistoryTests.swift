import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Findings over several nightly runs", .nights, .timeLimit(.minutes(10)))
struct HistoryTests: NightSuite {
    private static let leak = "expired_still_granted ann"

    @Test("An event is reported once; a finding persists, also unseen, is cleared, and is reopened")
    func lifecycle() async throws {
        try await customer("ann", AppleAnswer.ended(), isGranted: true)
        try await customer("bob", AppleAnswer.ended("3"))
        try await customer("cyd", AppleAnswer.refunded(), isGranted: true)
        try await night(
            "expired bob new, \(Self.leak) new, refund_recorded cyd new,"
                + " refunded_still_granted cyd new")
        #expect(
            try await ledgerStates() == "expired ann remembered, expired bob event,"
                + " \(Self.leak) open, refund_recorded cyd event, refunded_still_granted cyd open")
        let refund = "refunded_still_granted cyd persisting"
        // A run without a change adds no history, nor does an outage, which clears nothing.
        let ledger = try await ledger()
        for isOutage in [false, false, true, true, false] {
            if isOutage { silence("ann") } else { answer("ann", AppleAnswer.ended()) }
            let night = try await night(
                isOutage ? refund : "\(Self.leak) persisting, \(refund)")
            #expect(try await night.findings().allSatisfy { $0.firstSeen == .asOf })
            #expect(night.summary.entitlements.unverified == (isOutage ? 1 : 0))
            #expect(try await self.ledger() == ledger)
        }
        // A row that no longer grants anything needs no answer.
        silence("ann")
        try await night(refund)
        try await set("ann", isGranted: false)
        try await night(refund, cleared: Self.leak)
        answer("ann", AppleAnswer.ended())
        // The first run's finding reported the end already.
        try await night(refund)
        try await set("ann", isGranted: true)
        let back = try await night("\(Self.leak) reopened, \(refund)")
        #expect(try await back.findings().allSatisfy { $0.firstSeen == .asOf })
        try await night("\(Self.leak) persisting, \(refund)")
        silence("ann")
        try await night(refund)
        try await set("ann", isGranted: false)
        answer("ann", AppleAnswer.ended())
        try await night(refund, cleared: Self.leak)
    }

    @Test("Failed, unfinished and partial runs leave no history")
    func traceless() async throws {
        try await customer("ann", AppleAnswer.ended(), isGranted: true)
        try await customer("bob", AppleAnswer.refunded())
        for ending in [RunEnding.failed, nil, .published] {
            try await night("\(Self.leak) new, refund_recorded bob new", ending: ending)
        }
        // No ledger row of the first two is left.
        let ledger = try await ledger()
        #expect(ledger.count == 3)
        try await set("ann", isGranted: false)
        try await night("", cleared: Self.leak, scope: .only("ann"))
        #expect(try await self.ledger() == ledger)
        try await set("ann", isGranted: true)
        try await night("\(Self.leak) persisting")
    }

    @Test("A reversed refund is reported as owed, and once restored it is reported once")
    func reversal() async throws {
        try await customer("ann", AppleAnswer.refunded(), isGranted: false)
        try await night("refund_recorded ann new")
        answer("ann", AppleAnswer.running("2"))
        try await night("refund_reversed_not_restored ann new")
        try await set("ann", isGranted: true)
        try await night("refund_reversed ann new", cleared: "refund_reversed_not_restored ann")
        try await night("")
    }

    @Test("Findings of a user without stored rows are cleared")
    func gone() async throws {
        try await customer("ann", AppleAnswer.ended(), isGranted: true)
        try await customer("bob", AppleAnswer.refunded())
        try await night("\(Self.leak) new, refund_recorded bob new")
        try await test.execute("delete from team.receipts; delete from team.entitlements")
        try await night("", cleared: Self.leak)
        try await night("")
    }

    @Test("A refund in two users' receipts counts its price once")
    func sharedRefund() async throws {
        try await customer("ann", AppleAnswer.refunded())
        try await customer("bob", AppleAnswer.refunded())
        let night = try await night("refund_recorded ann new, refund_recorded bob new")
        let findings = try await night.findings()
        #expect(findings.map(\.estimatedAmount) == ["9.99", nil])
        let estimate = " (estimate: the list price of 9.99 USD = 9.99 USD)."
        #expect(findings[0].finding.explanation.hasSuffix(estimate))
        #expect(!findings[1].finding.explanation.contains("estimate"))
        #expect(
            night.summary.money.description
                == "leak 0.00 USD, owed 0.00 USD, refunded 9.99 USD")
        try await customer("cyd", AppleAnswer.refunded())
        #expect(try await self.night("").summary.money == MoneyTally())
    }

    @Test("An accepted finding counts in neither money nor --fail-on until it expires")
    func accepted() async throws {
        try await customer("ann", AppleAnswer.ended(), isGranted: true)
        try await customer("bob", AppleAnswer.period("2", from: -45, to: -15), isGranted: true)
        let first = try await night()
        #expect(
            first.summary.money.description == "leak 8.33 USD, owed 0.00 USD, refunded 0.00 USD")
        let finding = try await first.findings().first { $0.finding.user == "ann" }
        let known = try await accept(finding?.id, until: .asOf + .seconds(7_200))
        #expect(known.kind == .expiredStillGranted && known.user == "ann")
        #expect(known.run == first.summary.run.id)
        let second = try await night(
            "expired_still_granted ann accepted, expired_still_granted bob persisting")
        #expect(
            second.summary.money.description == "leak 5.00 USD, owed 0.00 USD, refunded 0.00 USD")
        #expect(second.summary.findings.bySeverity == [.high: 2])
        #expect(second.summary.findings.open(.high) == 1)
        let findings = try await second.findings()
        #expect(
            findings.map { [$0.exposureDays.map { "\($0)" }, $0.estimatedAmount, $0.currency] }
                == [[nil, nil, nil], ["15", "5.00", "USD"]])
        #expect(findings.allSatisfy { $0.firstSeen == .asOf })
        let third = try await night(
            "expired_still_granted ann persisting, expired_still_granted bob persisting")
        #expect(third.summary.findings.open(.high) == 2)
    }

    @Test("A published finding can be accepted, cleared, and is accepted when it is reopened")
    func cleared() async throws {
        try await customer("ann", AppleAnswer.ended(), isGranted: true)
        let id = try #require(try await night(ending: .failed).findings().first?.id)
        for unknown in [id, String(repeating: "0", count: 32)] {
            let error = try await databaseError { try await accept(unknown) }
            #expect(
                error.description == "No published run has reported a finding \(unknown). Copy"
                    + " finding_id from a report.")
        }
        #expect(try await night().findings().map(\.id) == [id])
        for by in ["eve", "dan"] { _ = try await accept(id, by: by) }
        try await set("ann", isGranted: false)
        try await night("", cleared: "expired_still_granted ann")
        try await set("ann", isGranted: true)
        try await night("expired_still_granted ann accepted")
        let by = "select accepted_by from reconcile.acceptance order by acceptance_no"
        #expect(try await test.texts(by) == ["eve", "dan"])
    }
}
