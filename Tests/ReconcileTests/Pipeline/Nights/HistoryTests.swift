import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("Findings over several nightly runs", .timeLimit(.minutes(10)))
struct HistoryTests {
    private static let ended = AppleAnswer.period("1", from: -40, to: -10)
    private static let refunded = AppleAnswer.period("2", from: -10, to: 20, cancelled: -5)

    @Test("An event is reported once, a finding persists, and an unchanged run adds no history")
    func once() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            try await nights.customer("bob", AppleAnswer.period("3", from: -40, to: -10))
            try await nights.customer("cyd", Self.refunded, isGranted: true)
            let first = try await nights.night()
            #expect(
                try await first.rows() == [
                    "expired bob new", "expired_still_granted ann new", "refund_recorded cyd new",
                    "refunded_still_granted cyd new",
                ])
            let ledger = try await nights.ledger()
            #expect(
                try await nights.ledgerStates() == [
                    "expired ann remembered", "expired bob event", "expired_still_granted ann open",
                    "refund_recorded cyd event", "refunded_still_granted cyd open",
                ])
            for _ in 0..<2 {
                let night = try await nights.night()
                #expect(
                    try await night.rows() == [
                        "expired_still_granted ann persisting",
                        "refunded_still_granted cyd persisting",
                    ])
                #expect(try await night.cleared() == [])
                #expect(try await night.findings().allSatisfy { $0.firstSeen == .asOf })
                #expect(try await nights.ledger() == ledger)
            }
        }
    }

    @Test("A finding that was fixed is cleared, and is reopened when it returns")
    func reopened() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            _ = try await nights.night()
            try await nights.set("ann", isGranted: false)
            let fixed = try await nights.night()
            // The first run's finding reported the end already.
            #expect(try await fixed.rows() == [])
            #expect(try await fixed.cleared() == ["expired_still_granted ann"])
            let quiet = try await nights.night()
            #expect(try await quiet.cleared() == [])
            try await nights.set("ann", isGranted: true)
            let back = try await nights.night()
            #expect(try await back.rows() == ["expired_still_granted ann reopened"])
            #expect(try await back.findings().map(\.firstSeen) == [.asOf])
            #expect(
                try await nights.night().rows() == ["expired_still_granted ann persisting"])
        }
    }

    @Test("An outage clears nothing, and the findings that it hid are persisting afterwards")
    func outage() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            try await nights.customer("bob", Self.refunded, isGranted: true)
            let row = "expired_still_granted ann"
            #expect(try await nights.night().rows().contains(row + " new"))
            nights.silence("ann")
            var ledgers: [[String]] = []
            for _ in 0..<2 {
                let night = try await nights.night()
                #expect(try await night.rows() == ["refunded_still_granted bob persisting"])
                #expect(try await night.cleared() == [])
                #expect(night.summary.entitlements.unverified == 1)
                ledgers.append(try await nights.ledger())
            }
            #expect(ledgers[0] == ledgers[1])
            nights.answer("ann", Self.ended)
            let back = try await nights.night()
            #expect(try await back.rows().first == row + " persisting")
            #expect(try await back.findings().allSatisfy { $0.firstSeen == .asOf })
            nights.silence("ann")
            #expect(try await nights.night().cleared() == [])
            try await nights.set("ann", isGranted: false)
            nights.answer("ann", Self.ended)
            #expect(try await nights.night().cleared() == [row])
        }
    }

    @Test("A row that no longer grants anything is cleared although Apple does not answer")
    func undone() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            _ = try await nights.night()
            nights.silence("ann")
            try await nights.set("ann", isGranted: false)
            #expect(try await nights.night().cleared() == ["expired_still_granted ann"])
        }
    }

    @Test("Failed, unfinished and partial runs leave no history")
    func traceless() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            try await nights.customer("bob", Self.refunded)
            let expected = ["expired_still_granted ann new", "refund_recorded bob new"]
            for ending in [RunEnding.failed, nil, .published] {
                #expect(try await nights.night(ending: ending).rows() == expected)
            }
            // No ledger row of the first two is left.
            let ledger = try await nights.ledger()
            #expect(ledger.count == 3)
            try await nights.set("ann", isGranted: false)
            let scoped = try await nights.night(scope: .selected(users: ["ann"], receipts: []))
            #expect(try await scoped.cleared() == ["expired_still_granted ann"])
            #expect(try await nights.ledger() == ledger)
            try await nights.set("ann", isGranted: true)
            let next = try await nights.night()
            #expect(try await next.rows() == ["expired_still_granted ann persisting"])
        }
    }

    @Test("A reversed refund is reported as owed, and once restored it is reported once")
    func reversal() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.refunded, isGranted: false)
            #expect(try await nights.night().rows() == ["refund_recorded ann new"])
            nights.answer("ann", AppleAnswer.period("2", from: -10, to: 20))
            #expect(
                try await nights.night().rows() == ["refund_reversed_not_restored ann new"])
            try await nights.set("ann", isGranted: true)
            let restored = try await nights.night()
            #expect(try await restored.rows().contains("refund_reversed ann new"))
            #expect(try await restored.cleared() == ["refund_reversed_not_restored ann"])
            #expect(try await !nights.night().rows().contains { $0.hasPrefix("refund") })
        }
    }

    @Test("Findings of a user without stored rows are cleared")
    func gone() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.ended, isGranted: true)
            try await nights.customer("bob", Self.refunded)
            _ = try await nights.night()
            try await nights.test.execute(
                "delete from team.receipts; delete from team.entitlements")
            let night = try await nights.night()
            #expect(try await night.cleared() == ["expired_still_granted ann"])
            #expect(try await nights.night().cleared() == [])
        }
    }

    @Test("A refund in two users' receipts counts its price once")
    func sharedRefund() async throws {
        try await Nights.with { nights in
            try await nights.customer("ann", Self.refunded)
            try await nights.customer("bob", Self.refunded)
            let night = try await nights.night()
            let findings = try await night.findings()
            #expect(findings.map(\.estimatedAmount) == ["9.99", nil])
            let estimate = " (estimate: the list price of 9.99 USD = 9.99 USD)."
            #expect(
                findings.map { $0.finding.explanation.hasSuffix(estimate) } == [true, false])
            #expect(!findings[1].finding.explanation.contains("estimate"))
            #expect(
                night.summary.money.description
                    == "leak 0.00 USD, owed 0.00 USD, refunded 9.99 USD")
            try await nights.customer("cyd", Self.refunded)
            let later = try await nights.night()
            #expect(try await later.rows() == [])
            #expect(later.summary.money == MoneyTally())
        }
    }
}
