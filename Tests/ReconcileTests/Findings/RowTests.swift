import Testing

@testable import Reconcile
@testable import TestSupport

/// What the first table's lines do not show: `Line.all` has each kind, its near miss, and when it
/// settles or is hidden.
@Suite("A stored row")
struct RowTests {
    @Test(
        "A row is compared with all that Apple shows of its right",
        arguments: scenes(
            """
            pro -10 cancelled -4       | pro off                     | consistent, +refund
            pro -10 cancelled -4       | pro to 0                    | consistent, +refund
            pro -40, pro -10           | pro to 20 | consistent | of a chain with a later period
            pro -10, max -5 of 2 | pro to 25 | consistent | with another chain's expiry of the right
            answer                     | pro off | consistent | not granted, and Apple gives nothing
            pro -20, renewal off       | pro to 10 ends changed -0.5 | consistent
            pro -20, renewal off       | pro to 10 changed -0.5 | consistent | changed to no renewal
            pro 0.5, unlock 0.5        | pro off | consistent | not granted, and bought later
            unlock 0.5 | unlock off | consistent | not granted, and bought once, later
            GRACE; IOS6 | pro to 3 | consistent | in grace by an answer, iOS 6 being older
            answer id b, pro -10 cancelled -2; answer id a, pro -10 | pro to 20 | consistent
            GRACE; pro -32 cancelled -3; IOS6 | pro to 20 | refunded_still_granted e1, +refund
            IOS6; GRACE; pro -32 cancelled -3 | pro to 20 | refunded_still_granted e1, +refund
            answer made -9, renewal on; pro -20, renewal off | pro to 10 renews changed -1 | \
            label_stale e1
            pro -20, renewal off       | pro to 10 renews changed -1 | label_stale e1
            pro -20, renewal off       | pro to 10 renews changed -0.999 | settling
            pro -20, renewal off       | pro to 10 renews changed 0  | settling
            pro -40, renewal grace -0.5 | pro to 20 | settling | whose grace period is just over
            answer sandbox, pro 1      | pro                         | grant_without_transaction e1
            answer                     | pro changed -2              | grant_without_transaction e1
            answer | unlock | grant_without_transaction e1 | of a non-consumable, granted before
            answer | pass changed -2 | unverified | of a pass, granted since the receipt
            unchecked; answer | pro off | unverified | not granted, and Apple may give something
            pro -31, renewal grace 5   | pro to 9                    | expiry_too_late e1
            pro -10 | pro to -1 | active_not_granted e1 | owed, and its expiry has passed
            pass -9                    | pass off | owned_not_granted e1 | owed, of a pass
            pro -10 | pro off, pro off | active_not_granted e1, consistent | owed once, of two
            pro -0.5                   |  | nothing | owed, but missing, in the last day
            pro -10 | yearly to 9 gift | not_judged | of any source and product, which covers it
            solo -20 upgraded, max -10 | solo to 20                  | product_mismatch e1
            pro -10                    | solo to 20 chain 1          | product_mismatch e1
            """,
            where: [
                "GRACE": "answer made -9, pro -32, renewal grace 3",
                "IOS6": "answer iOS6 unversioned, pro -10",
            ]))
    func isCompared(row: AnsweredCase) { row.check() }

    @Test("With nothing but a stored receipt that is invalid a granted row is unverified")
    func invalidReceipt() {
        let judgement = Judge.acme.judgement(of: [], [.row()], invalidReceipts: 1)
        #expect(judgement.outcome == ["unverified"])
    }

    @Test("Without a row the finding that a right is owed has no entitlement")
    func withoutRow() throws {
        let judgement = Judge.acme.judgement("pro -10")
        #expect(judgement.outcome == ["active_not_granted"])
        let finding = try judgement.only(.activeNotGranted)
        #expect(finding.reference == "group:G" && finding.transaction == "1")
    }

    @Test(
        "The finding is on the row of the chain, else of the product, else the latest one",
        arguments: textPairs(
            """
            z | yearly off id a changed -3, yearly off id x changed -2, pro off, \
            yearly off id z chain 1
            y | yearly off id a changed -3, yearly off id x changed -2, pro off id y
            x | yearly off id a changed -3, yearly off id x changed -2
            w | yearly off id x changed -2, yearly off id w changed -2
            """))
    func choosesRow(chosen: String, rows: String) {
        let finding = Judge.acme.judgement("pro -10", rows).findings.first
        #expect(finding?.entitlement?.text == chosen)
    }
}

@Suite("An entitlement that is not reported")
struct NotReportedTests {
    private static let cases = textTable(
        """
        recent                  | settling   | expired_still_granted | pro -30.5 | pro to 20
        changed_after_as_of     | settling   |  | pro -40 | pro to 20 changed 0.1
        evidence_missing | unverified | expired_still_granted | pro -40; unchecked | pro to 20
        newer_than_receipts | unverified | grant_without_transaction | answer | unlock changed -2
        subscription_unknown     | unverified | grant_without_transaction | answer \
        | pro to 20 chain 9 changed -2
        paid_version_undecidable | unverified | grant_without_transaction \
        | answer unversioned | full
        offline | unverified | grace_not_granted | pro -32, renewal grace 5 | pro off
        source                  | not_judged |  |         | pro gift
        product_unknown         | not_judged |  |         | nobody.sells
        consumable              | not_judged |  |         | coins
        access_duration_unknown | not_judged |  |         | pass.unknown
        no_receipt_of_app       | not_judged |  |         | full legacy
        """)

    @Test("Each cause has a case here, except rows that cannot be read")
    func complete() {
        let causes = Self.cases.map { $0[0] } + ["invalid_row"]
        #expect(causes.sorted() == NotReported.Cause.allCases.map(\.rawValue).sorted())
    }

    @Test(
        "The row is listed with its bucket, its cause and the finding that it would have been",
        arguments: cases)
    func named(cells: [String]) throws {
        let settings = JudgingSettings(asOf: .asOf, isOffline: cells[0] == "offline")
        let judgement = Judge(catalog: .acme, settings: settings).judgement(cells[3], cells[4])
        let listed = NotReported(
            entitlement: "e1", bucket: try #require(.init(rawValue: cells[1])),
            kind: FindingKind(rawValue: cells[2]), cause: try #require(.init(rawValue: cells[0])))
        #expect(judgement.notReported == [listed])
        #expect(judgement.bucket == cells[1])
        #expect(!judgement.findings.contains { $0.entitlement != nil })
    }
}

/// A receipt without evidence for its user, next to the user's other receipts.
@Suite("A receipt that gives no evidence")
struct MissingEvidenceTests {
    @Test(
        "A receipt of a deleted account hides leaks of the rows that it may have proved",
        arguments: scenes(
            """
                    | pro to 10     | unverified            | alone, on a granted row
                    | unlock        | unverified            | alone, on a row of a lifetime purchase
                    | pass to 10    | unverified            | alone, on a granted row of a pass
                    | pro off to 10 | unverified            | alone, on a row that is not granted
            pro -80 | pro to 10     | unverified, expired   | beside a chain that ended
            pro -20 | pro to 10     | consistent            | beside a chain that proves the row
            pro -20 | pro off to 10 | active_not_granted e1 | beside a chain that is owed
            """))
    func hidesProof(row: AnsweredCase) { row.check(beside: "gone", says: "receipt_account_gone") }

    /// Receipts that make evidence missing, and the findings about them.
    private static let blinding = textPairs(
        """
        jws            | receipt_is_jws
        malformed      | receipt_malformed
        gone           | receipt_account_gone
        unchecked      |
        answer anomaly | parse_anomaly
        """)

    @Test(
        "Missing evidence hides a row's leaks, except a settled refund that the row names",
        arguments: blinding,
        scenes(
            """
            PRO cancelled -5        | pro to 10 chain 7  | refunded_still_granted e1, +refund
            UNLOCK cancelled -5     | unlock chain 4     | refunded_still_granted e1, +refund
            PASS cancelled -5       | pass to 10 chain 4 | refunded_still_granted e1, +refund
            PRO cancelled -5 family | pro to 10 chain 7  | family_revoked_still_granted e1, +family
            PRO cancelled -5        | pro to 10          | unverified, +refund | no chain
            PRO cancelled -5        | pro to 10 chain 99 | unverified, +refund | another chain
            UNLOCK cancelled -5     | unlock             | unverified, +refund | no purchase
            pro -80 | pro to 10 chain 1 | unverified, expired | a chain that ended, no refund
            PRO cancelled -0.5 | pro to 10 chain 7 | settling, +refund | a refund of the last day
            """,
            where: [
                "UNLOCK": "unlock -20 id 5 of 4", "PASS": "pass -20 id 5 of 4",
                "PRO": "pro -20 id 8 of 7",
            ]))
    func hides(blinding: (receipt: String, says: String), row: AnsweredCase) {
        row.check(beside: blinding.receipt, says: blinding.says)
    }
}

extension AnsweredCase {
    fileprivate func check(beside receipt: String, says finding: String) {
        var missing = shown(receipt)[0]
        missing.id = "r9"
        let told = finding.isEmpty ? [] : [finding]
        AnsweredCase("", receipts + [missing], rows, expected: expected + told).check()
    }
}

/// A row names a chain, `99`, that is in no answer. Receipts are stored 5 days before the instant
/// of judgement.
@Suite("A row of a chain that no answer shows")
struct UnknownChainTests {
    @Test(
        "It is unverified if newer than the newest receipt, except where proof is positive",
        arguments: scenes(
            """
            answer  | ROW                           | unverified | without a subscription
            pro -20 | ROW | unverified | beside one that is active and ends before
            answer; answer sandbox, pro -20 of 98 | ROW                           | unverified
            pro -80 | ROW | unverified, expired | beside a chain that ended
            pro -80 | max to 20 chain 99 changed -4 | unverified, expired
            x.monthly -80 | x.monthly to 20 chain 99 changed -4 | unverified, expired
            pro -20 cancelled -8 | ROW | unverified, +refund | beside a refunded one, not named
            pro -80 | pro to 20 chain 99 changed -6 | expired_still_granted e1
            pro -80 | pro to 20 chain 99 changed -5 | expired_still_granted e1
            answer stored -60; answer stored -3, pro -80 | ROW | expired_still_granted e1
            pro -80 | pro to 20 changed -4          | expired_still_granted e1 | that names no chain
            pro -80 | pro to 20 chain 1 changed -4  | expired_still_granted e1
            answer; answer sandbox, pro -20 of 99 | ROW | sandbox_grants_production e1
            answer; answer for other, pro -20 of 99 | ROW | receipt_for_other_app, \
            wrong_app_receipt e1
            answer  | pro to 20 chain 99 changed -6 | grant_without_transaction e1
            pro -20 | pro to 3 chain 99 changed -4  | expiry_too_early e1
            pro -20 | pro to 10 chain 99 changed -4 | consistent | agrees with another chain
            max -20 | pro to 10 chain 99 changed -4 | upgrade_not_applied e1
            """, where: ["ROW": "pro to 20 chain 99 changed -4"]))
    func goesByAge(row: AnsweredCase) { row.check() }
}
