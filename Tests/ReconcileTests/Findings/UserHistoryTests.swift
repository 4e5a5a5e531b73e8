import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("A refund or an open finding in the user's history")
struct UserHistoryTests {
    @Test("A refund beyond the horizon is not reported, and remembered")
    func horizon() {
        let old = Judge.acme.judgement("pro -100..20 cancelled -91")
        #expect(old.kinds.isEmpty && old.remembered.map(\.kind) == [.refundRecorded])
        #expect(old.remembered.map(\.eventAt) == [.day(-91)])
    }

    /// The first cell has the reference and the day of the refund that was reported, `told` if its
    /// reversal was, `family` if it was a withdrawal, and `old` if it was remembered instead.
    @Test(
        "A refund and its reversal are reported once; the reversal precedes other owed rights",
        arguments: choices(
            """
            1 -4        | pro -10 cancelled -4        |  |
            1 -4 family | pro -10 cancelled -4 family |  |
            1 -40 | pro -10 / unlock -10          |         | refund_reversed_not_restored
            1 -40 | pro -33, renewal grace 5 / pass -10 |   | refund_reversed_not_restored
            1 -40      | pro -1                   | pro off | refund_reversed_not_restored e1
            1 -40      | pro -0.5                 | pro off | refund_reversed, settling
            1 2        | pro -10 cancelled 2      | pro to 20 | consistent
            1 2        | pro -10 cancelled 2      |         | active_not_granted
            1 -40 told | pro -10 cancelled -1     |         |
            1 -91 old  | pro -100..20 cancelled -91 |       |
            1 -91 old  | pro -100..20             | pro to 20 | consistent
            1 -91 old  | pro -100..20             | pro off | refund_reversed_not_restored e1
            77 -5      | coins -8 id 3 order 77   |         | refund_reversed
            77 -5      | coins -8 id 3 order 77, coins -9 id 2 cancelled -5 order 77 |  |
            """))
    func settles(cells: [String]) throws {
        let words = cells[0].split(separator: " ").map(String.init)
        let day = try #require(Double(words[1]))
        let isFamily = words.last == "family"
        let kind = isFamily ? FindingKind.familyRevocationRecorded : .refundRecorded
        var told = [LedgerEntry.refund(words[0], cancelled: day, kind: kind)]
        if words.last == "old" { told[0].state = .remembered }
        if words.last == "told" { told.append(.refund(cancelled: day, kind: .refundReversed)) }
        let judgement = Judge.acme.judgement(cells[1], cells[2], after: UserHistory(told))
        #expect(judgement.outcome.joined(separator: ", ") == cells[3])
        #expect(judgement.remembered.isEmpty)
        for finding in judgement.findings where finding.kind == .refundReversedNotRestored {
            let bought = shown(cells[1])[0].verified?.receipt.transactions.first?.purchasedAt
            #expect(finding.eventAt == bought && finding.kind.file == .refunds)
            #expect(finding.weighed == "high owed" && finding.proposedAction == .restore)
        }
    }

    /// A line is the verdict online and offline, if they are compared; the finding, and the new
    /// run's evidence, in which `unreadable` is the row e1, and `invalid` a receipt.
    @Test(
        "A finding not found again is cleared if the evidence shows its end, else open",
        arguments: choices(
            """
            cleared | cleared | leak         | pro -40 | pro off
            cleared |         | leak         | unchecked | pro off / / pro to 20 gift / coins to 20
            cleared | open    | leak         | pro -10 | pro to 20
            cleared |         | leak         | pro -0.5 id 2 | pro to 60
            cleared |         | leak         | pro -40 | pro to 20 gift
            cleared |         | bare         | unchecked | pro to 20
            cleared | cleared | debt / rowless | pro -10 | pro to 20
            cleared |         | debt         | unchecked | pro to 20 / pro off, max gift
            cleared |         | rowless      | pro -10; unchecked / unchecked | pro to 20
            cleared |         | paid         | answer version 4.0 | full legacy
            cleared |         | too early    | pro -10; unchecked | pro to 20
            cleared | cleared | malformed    | pro -10 / |
            cleared |         | other app    | answer hides 1 |
            cleared |         | set aside    | pro -10 |
            open    |         | leak         | unchecked / pro -40; unchecked | pro to 20
            open    | open    | leak         | pro -40 | pro off changed 0.1 / unreadable
            open    |         | leak         | pro -40 | nobody.sells to 20 / pass.unknown to 20
            open    |         | refund       | pro -10 cancelled -0.5 | pro to 20
            open    |         | unpaid       | answer sandbox version 1.0 | full legacy
            open    |         | debt         | unchecked | pro off / / pro off gift
            open    |         | rowless      | unchecked / pro -30.5, pro -0.5 / answer hides 1 |
            open    |         | rowless      | pro -10 | max id e9 to 20 changed 0.1
            open    |         | paid         | unchecked | full off legacy
            open    |         | rowless paid | answer version 4.0 | full id e9 legacy changed 0.1
            open    |         | too early    | unchecked; pro -25 id 2 of 2 | pro to 5
            open    |         | too early    | answer hides 1, pro -25 id 2 | pro to 5
            open    |         | malformed    | invalid |
            open    |         | refused      | unchecked |
            open    |         | dates / contradiction | answer hides 1 |
                    | cleared | leak         | pro -40 |
                    | cleared | bare / too early | pro -10 | pro to 20
                    | cleared | level        | max -10 | max to 20
                    | cleared | gone         |  |
                    | open    | debt / rowless | pro -40 |
                    | open    | debt         | pro -40 | pro off
                    | open    | too early    | pro -40 | pro to 5
                    | open    | level        | pro -40 | max to 20 / pro to 20
                    | open    | refused      | pro -10 |
            """))
    func isJudged(cells: [String]) throws {
        let was = try #require(Self.findings.first { $0[0] == cells[2] })
        let kind = try #require(FindingKind(rawValue: was[1]))
        let finding = try Judge.acme.judgement(was[2], was[3]).only(kind)
        let id = finding.identity.id
        let entry = LedgerEntry(
            id: id, state: .open, identity: finding.identity, receipt: finding.receipt,
            firstSeen: .day(-1), eventAt: finding.eventAt)
        let isInvalid = cells[3] == "invalid"
        let isUnreadable = cells[4] == "unreadable"
        let tonight = UserEvidence(
            user: "u", receipts: isInvalid ? [] : shown(cells[3]),
            invalidReceipts: isInvalid ? 1 : 0, entitlements: isUnreadable ? [] : stored(cells[4]),
            invalidEntitlements: isUnreadable ? 1 : 0,
            unreadableEntitlements: isUnreadable ? ["e1"] : [])
        for (verdict, judge) in zip(cells, [Judge.acme, .offline]) where !verdict.isEmpty {
            let judgement = judge.judgement(
                of: tonight.proven(for: judge), history: UserHistory([entry]))
            #expect(!judgement.findings.map(\.identity.id).contains(id))
            #expect((judgement.unjudged.contains(id) ? "open" : "cleared") == verdict)
        }
    }

    /// The findings of the last run, with their evidence.
    private static let findings = """
        leak          | expired_still_granted      | pro -40              | pro to 20
        refund        | refunded_still_granted     | pro -10 cancelled -5 | pro to 20
        bare          | grant_without_receipt      |                      | pro to 20
        unpaid        | freemium_granted_not_paid  | answer               | full legacy
        debt          | active_not_granted         | pro -10              | pro off
        rowless       | active_not_granted         | pro -10              |
        paid          | freemium_paid_not_granted  | answer version 4.0   | full off legacy
        rowless paid  | freemium_paid_not_granted  | answer version 4.0   |
        too early     | expiry_too_early           | pro -10              | pro to 5
        level         | upgrade_not_applied        | max -10              | pro to 20
        malformed     | receipt_malformed          | malformed            |
        refused       | receipt_not_authentic      | refused              |
        gone          | receipt_account_gone       | gone                 |
        dates         | implausible_dates          | pro -10..290         |
        set aside     | parse_anomaly              | answer hides 1       |
        other app     | receipt_for_other_app      | answer for other     |
        contradiction | receipt_contradicts_answer | answer contradicted, pro -10 |
        """.rows
}
