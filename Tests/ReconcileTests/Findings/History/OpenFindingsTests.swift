import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An open finding that is not found again")
struct OpenFindingsTests {
    /// A line is the verdict, the finding, when it is not found, and the new run's evidence, in
    /// which `unreadable` is the row e1 that cannot be read, and `invalid` a receipt.
    @Test(
        "It is cleared where the evidence shows that it is gone, and open where that may be hidden",
        arguments: textTable(
            """
            cleared | leak      | when the row grants no more              | pro -40   | pro off
            cleared | leak | when the row grants no more, whatever Apple says | unchecked | pro off
            cleared | leak      | when the row is gone                     | unchecked
            cleared | leak      | when the customer paid again             | pro -10   | pro to 20
            cleared | leak      | by another line that settles | pro -0.5 id 2 | pro to 60
            cleared | leak      | by a source that is not judged | pro -40 | pro to 20 gift
            cleared | leak | by one not judged, whatever Apple says | unchecked | pro to 20 gift
            cleared | leak      | when the row is of a consumable          | unchecked | coins to 20
            cleared | bare      | by a receipt, even an unverified one     | unchecked | pro to 20
            cleared | debt      | when the row grants                      | pro -10   | pro to 20
            cleared | debt      | when the row grants, whatever Apple says | unchecked | pro to 20
            cleared | debt      | when another row covers it | unchecked | pro off, max gift
            cleared | rowless   | when there is a row                      | pro -10   | pro to 20
            cleared | rowless | when there is one, a receipt unread | pro -10; unchecked | pro to 20
            cleared | rowless   | when there is a row, whatever Apple says | unchecked | pro to 20
            cleared | paid      | when it is granted | answer version 4.0 | full legacy
            cleared | too early | when its answer is read | pro -10; unchecked | pro to 20
            cleared | malformed | when it was replaced                     | pro -10
            cleared | malformed | when it is gone                          |
            cleared | other app | by an answer, whatever is in it          | answer hides 1
            cleared | set aside | when the line can be read                | pro -10
            open    | leak      | when Apple is silent                     | unchecked | pro to 20
            open    | leak      | when another receipt is not read | pro -40; unchecked | pro to 20
            open    | leak      | while the row is in flux | pro -40 | pro off changed 0.1
            open    | leak      | while the row cannot be read             | pro -40   | unreadable
            open    | leak      | when its product's kind is unknown | pro -40 | nobody.sells to 20
            open    | leak | when the product has no access_duration | pro -40 | pass.unknown to 20
            open    | refund    | while a younger cause settles | pro -10 cancelled -0.5 | pro to 20
            open | unpaid | when no answer shows the app | answer sandbox version 1.0 | full legacy
            open    | debt      | when Apple is silent                     | unchecked | pro off
            open    | debt      | when the row is gone, Apple is silent    | unchecked
            open | debt | when its row is judged no more, Apple is silent | unchecked | pro off gift
            open    | rowless   | when Apple is silent                     | unchecked
            open    | rowless   | while a renewal settles                  | pro -30.5, pro -0.5
            open    | rowless   | while its row is in flux | pro -10 | max id e9 to 20 changed 0.1
            open    | rowless   | when its line is set aside               | answer hides 1
            open    | paid      | without an answer | unchecked | full off legacy
            open    | rowless paid | in flux | answer version 4.0 | full id e9 legacy changed 0.1
            open | too early | when its answer is not read | unchecked; pro -25 id 2 of 2 | pro to 5
            open | too early | when its line is set aside | answer hides 1, pro -25 id 2 | pro to 5
            open    | malformed | when it may be a row that cannot be read | invalid
            open    | refused   | when Apple is silent                     | unchecked
            open    | dates     | when their line is set aside             | answer hides 1
            open    | contradiction | when its line is set aside               | answer hides 1
            """))
    func online(cells: [String]) throws {
        #expect(try verdict(of: cells, by: .acme) == cells[0])
    }

    @Test(
        "An offline run clears it only by what the service's own rows show, not what Apple could",
        arguments: textTable(
            """
            cleared | leak      | when the row grants no more       | pro -40 | pro off
            cleared | leak      | when the row is gone              | pro -40
            cleared | bare      | by a receipt                      | pro -10 | pro to 20
            cleared | debt      | when the row grants               | pro -10 | pro to 20
            cleared | rowless   | by a row that grants it           | pro -10 | pro to 20
            cleared | too early | when it was moved                 | pro -10 | pro to 20
            cleared | level     | when the row has it               | max -10 | max to 20
            cleared | malformed | when it was replaced              | pro -10
            cleared | malformed | when it is gone                   |
            cleared | gone      | when it is gone                   |
            open    | leak      | though its receipt was read       | pro -10 | pro to 20
            open    | leak      | while the row is in flux          | pro -40 | pro off changed 0.1
            open    | leak      | while the row cannot be read      | pro -40 | unreadable
            open    | debt      | when an older receipt does not show it | pro -40 | pro off
            open    | debt      | when its row is gone and its receipt is older | pro -40
            open    | rowless   | while there is none               | pro -40
            open    | too early | as it is                          | pro -40 | pro to 5
            open    | level     | when no receipt shows it any more | pro -40 | max to 20
            open    | level     | as it is                          | pro -40 | pro to 20
            open    | refused   | no matter who signed it           | pro -10
            """))
    func offline(cells: [String]) throws {
        #expect(try verdict(of: cells, by: OfflineJudgementTests.judge) == cells[0])
    }

    private func verdict(of cells: [String], by judge: Judge) throws -> String {
        let was = try #require(Self.findings[cells[1]])
        let kind = try #require(FindingKind(rawValue: was[1]))
        let finding = try Judge.acme.judgement(was[2], was.count > 3 ? was[3] : "").only(kind)
        let isUnreadable = cells.last == "unreadable"
        let isInvalid = cells[3] == "invalid"
        let tonight = UserEvidence(
            user: "u", receipts: isInvalid ? [] : shown(cells[3]),
            invalidReceipts: isInvalid ? 1 : 0,
            entitlements: isUnreadable || cells.count < 5 ? [] : stored(cells[4]),
            invalidEntitlements: isUnreadable ? 1 : 0,
            unreadableEntitlements: isUnreadable ? ["e1"] : [])
        let judgement = judge.judgement(of: tonight, history: UserHistory([.of(finding)]))
        #expect(!judgement.findings.map(\.identity.id).contains(finding.identity.id))
        return judgement.unjudged.contains(finding.identity.id) ? "open" : "cleared"
    }

    /// The findings of the last run, with their evidence.
    private static let findings = Dictionary(
        uniqueKeysWithValues: textTable(
            """
            leak          | expired_still_granted      | pro -40              | pro to 20
            refund        | refunded_still_granted     | pro -10 cancelled -5 | pro to 20
            bare          | grant_without_receipt      |                      | pro to 20
            unpaid        | freemium_granted_not_paid  | answer               | full legacy
            debt          | active_not_granted         | pro -10              | pro off
            rowless       | active_not_granted         | pro -10
            paid          | freemium_paid_not_granted  | answer version 4.0   | full off legacy
            rowless paid  | freemium_paid_not_granted  | answer version 4.0
            too early     | expiry_too_early           | pro -10              | pro to 5
            level         | upgrade_not_applied        | max -10              | pro to 20
            malformed     | receipt_malformed          | malformed
            refused       | receipt_not_authentic      | refused
            gone          | receipt_account_gone       | gone
            dates         | implausible_dates          | pro -10..290
            set aside     | parse_anomaly              | answer hides 1
            other app     | receipt_for_other_app      | answer for other
            contradiction | receipt_contradicts_answer | answer contradicted, pro -10
            """
        ).map { ($0[0], $0) })
}
