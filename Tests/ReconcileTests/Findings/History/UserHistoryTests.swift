import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A user's history from earlier runs")
struct UserHistoryTests {
    private static let leak = finding(.expiredStillGranted, "e1")
    private static let event = finding(.expired, nil)
    private static let open = LedgerEntry.of(leak, firstSeen: .day(-7))
    private static let id = leak.identity.id

    private static func finding(
        _ kind: FindingKind, _ entitlement: EntitlementID?, amount: String? = nil
    ) -> Finding {
        var finding = Finding(
            kind: kind, weight: kind.weight, user: "u", explanation: "Sentence.", reference: "1")
        finding.entitlement = entitlement
        let usd = Currency("USD")
        finding.estimate = amount.flatMap { text in usd.flatMap { Money(text, in: $0) } }.map {
            Estimate(right: .group("G"), exposureDays: 3, amount: $0)
        }
        return finding
    }

    @Test(
        "An open finding persists, another one is new, and an accepted one is accepted",
        arguments: [
            (UserHistory(), .new, .asOf), (UserHistory([open]), .persisting, .day(-7)),
            (UserHistory([open], accepted: [id]), .accepted, .day(-7)),
            (UserHistory(accepted: [id]), .accepted, .asOf),
        ] as [(UserHistory, Lifecycle, Instant)])
    func lifecycle(history: UserHistory, lifecycle: Lifecycle, firstSeen: Instant) {
        let rows = history.reported([Self.leak], judgedAt: .asOf)
        #expect(rows.map(\.lifecycle) == [lifecycle] && rows.map(\.firstSeen) == [firstSeen])
        #expect(rows.map(\.id) == [Self.id])
    }

    @Test("An event that was reported is neither open nor reported again, another one is")
    func events() {
        let history = UserHistory([.of(Self.leak), .of(Self.event)])
        #expect(history.open.map(\.id) == [Self.id])
        #expect(UserHistory().open.isEmpty)
        var later = Self.event
        later.reference = "2"
        let rows = history.reported([Self.event, later], judgedAt: .asOf)
        #expect(rows.map(\.finding.reference) == ["2"] && rows.map(\.lifecycle) == [.new])
    }

    @Test("One right has one amount, on the first row that is not accepted")
    func amounts() {
        let findings = ["e1", "e2"].map { id in
            Self.finding(.expiredStillGranted, EntitlementID(id), amount: "1.00")
        }
        let plain = UserHistory().reported(findings, judgedAt: .asOf)
        #expect(plain.map(\.estimatedAmount) == ["1.00", nil])
        #expect(plain.map(\.noAmount) == [nil, .countedElsewhere])
        let history = UserHistory(accepted: [findings[0].identity.id])
        let rows = history.reported(findings, judgedAt: .asOf)
        #expect(rows.map(\.estimatedAmount) == [nil, "1.00"])
        #expect(rows.map(\.noAmount) == [.accepted, nil])
    }
}

@Suite("A refund in the user's history")
struct ReversalTests {
    private func judgement(
        _ receipts: String, _ rows: String = "",
        after history: UserHistory = UserHistory([.refund(cancelled: -40)])
    ) -> Judgement { Judge.acme.judgement(receipts, rows, after: history) }

    @Test(
        "A refund or a withdrawal of family sharing is reported once, and an upgrade never",
        arguments: textPairs(
            """
            pro -10 cancelled -4          | refund_recorded
            pro -10 cancelled -4 family   | family_revocation_recorded
            pro -10 cancelled -4 upgraded |
            """))
    func once(withdrawn: String, kind: String) {
        let first = judgement(withdrawn, after: UserHistory())
        #expect(first.kinds.map(\.rawValue).joined() == kind && first.remembered.isEmpty)
        let second = judgement(withdrawn, after: UserHistory(after: first))
        #expect(second.kinds.isEmpty && second.remembered.isEmpty)
    }

    @Test("A refund beyond the horizon is remembered once, and its reversal restores the right")
    func horizon() {
        let old = judgement("pro -100..20 cancelled -95", after: UserHistory())
        #expect(old.kinds.isEmpty)
        #expect(old.remembered.map(\.kind) == [.refundRecorded])
        #expect(old.remembered.map(\.eventAt) == [.day(-95)])
        let history = UserHistory(after: old)
        #expect(judgement("pro -100..20 cancelled -95", after: history).remembered.isEmpty)
        // It was never reported, so its reversal is not.
        #expect(judgement("pro -100..20", "pro to 20", after: history).kinds.isEmpty)
        let taken = judgement("pro -100..20", "pro off", after: history)
        #expect(taken.kinds == [.refundReversedNotRestored])
    }

    @Test("A reversed refund is reported once while the right is granted")
    func reversed() throws {
        let first = judgement("pro -10", "pro to 20")
        #expect(first.kinds == [.refundReversed])
        let finding = try first.only(.refundReversed)
        #expect(finding.eventAt == .day(-40) && finding.transaction == "1")
        #expect(finding.reference == "1" && finding.weighed == "info none")
        #expect(finding.proposedAction == .none)
        #expect(
            finding.explanation
                == "Apple no longer shows a refund of pro.monthly (transaction 1, bought"
                + " 2026-11-10T02:00:00Z), of 2026-10-11T02:00:00Z, which an earlier run reported:"
                + " the purchase is valid again.")
        let history = UserHistory([.refund(cancelled: -40), .of(finding)])
        let second = judgement("pro -10", "pro to 20", after: history)
        #expect(history.reported(second.findings, judgedAt: .asOf).isEmpty)
    }

    @Test(
        "A reversed refund takes precedence over every other finding that the right is owed",
        arguments: [("pro", -10), ("unlock", -10), ("pro", -33), ("pass", -10)])
    func owed(product: String, bought: Double) throws {
        let judgement = judgement(
            "\(product) \(bought)" + (bought == -33 ? ", renewal grace 5" : ""))
        #expect(judgement.kinds == [.refundReversedNotRestored])
        let finding = try judgement.only(.refundReversedNotRestored)
        #expect(finding.eventAt == .day(bought) && finding.weighed == "high owed")
        #expect(finding.kind.file == .refunds && finding.proposedAction == .restore)
        #expect(finding.explanation.contains("reversed a refund of it that an earlier run saw"))
    }

    /// The first cell is the day of the refund that was reported, and its reversal, if that was.
    @Test(
        "It settles by the purchase, counts as reversed once it was due, and is not reported again",
        arguments: textTable(
            """
            -40          | pro -0.5             | pro off   | refund_reversed, settling
            -40          | pro -1               | pro off   | refund_reversed_not_restored e1
            2            | pro -10 cancelled 2  | pro to 20 | consistent
            2            | pro -10 cancelled 2  |           | active_not_granted
            -40 reversed | pro -10 cancelled -1 |           |
            """))
    func settles(cells: [String]) throws {
        let day = try #require(Double(cells[0].prefix { $0 != " " }))
        let reversal = [LedgerEntry.reversal(cancelled: day)]
        let told = [.refund(cancelled: day)] + (cells[0].hasSuffix("reversed") ? reversal : [])
        let judgement = judgement(cells[1], cells[2], after: UserHistory(told))
        #expect(judgement.outcome.joined(separator: ", ") == cells[3])
        #expect(judgement.remembered.isEmpty)
    }
}
