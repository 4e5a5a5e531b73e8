import Testing

@testable import Reconcile
@testable import TestSupport

/// `Line.all` has each kind, its near miss, and when it settles or is hidden; here is the rest.
@Suite("What a user's receipts and rows come to")
struct SceneTests {
    @Test("The outcome is the one that the line says, complete", arguments: scenes(allScenes))
    func outcome(scene: [String]) { check(scene) }

    @Test(
        "A row not reported is listed with its bucket, cause and the finding that it would be",
        arguments: notReported)
    func isListed(cells: [String]) throws {
        let judge = cells[0] == "offline" ? Judge.offline : .acme
        let judgement = judge.judgement(cells[3], cells[4])
        let listed = NotReported(
            entitlement: "e1", bucket: try #require(.init(rawValue: cells[1])),
            kind: FindingKind(rawValue: cells[2]), cause: try #require(.init(rawValue: cells[0])))
        #expect(judgement.notReported == [listed] && judgement.bucket == cells[1])
        #expect(!judgement.findings.contains { $0.entitlement != nil })
    }

    @Test("Each cause of a row not reported has a case here, except rows that cannot be read")
    func complete() {
        // All but the first are in suites of their own.
        let elsewhere = ["invalid_row", "purchase_vanished", "implausible_dates", "unclaimed"]
        let causes = notReported.map { $0[0] } + elsewhere
        #expect(causes.sorted() == NotReported.Cause.allCases.map(\.rawValue).sorted())
    }
}

/// A heading's sentence is shown by the lines below it.
private let allScenes = """
    LEAK = refunded_still_granted e1, +refund
    # A row is compared with all that Apple shows of its right
    GRACE = answer made -9, pro -32, renewal grace 3
    IOS6 = answer iOS6 unversioned, pro -10
    ENDING = pro -20, renewal off
    pro -10 cancelled -4 | pro off / pro to 0 | consistent, +refund
    pro -40, pro -10 | pro to 20 | consistent | of a chain with a later period
    answer id b, pro -10 cancelled -2; answer id a, pro -10 | pro to 20 | consistent | the least id
    pro -10, max -5 of 2 | pro to 25 | consistent | with another chain's expiry of the right
    answer | pro off | consistent | not granted, and Apple gives nothing
    ENDING | pro to 10 ends changed -0.5 / pro to 10 changed -0.5 | consistent
    pro 0.5, unlock 0.5 / unlock 0.5 | pro off / unlock off | consistent | bought later
    GRACE; IOS6 | pro to 3 | consistent | in grace by an answer, iOS 6 being older
    GRACE; pro -32 cancelled -3; IOS6 / IOS6; GRACE; pro -32 cancelled -3 | pro to 20 | LEAK
    ENDING / answer made -9, renewal on; ENDING | pro to 10 renews changed -1 | label_stale e1
    ENDING | pro to 10 renews changed -0.999 / pro to 10 renews changed 0 | settling
    pro -40, renewal grace -0.5 | pro to 20 | settling | whose grace period is just over
    answer sandbox, pro 1 | pro | grant_without_transaction e1
    answer | pass changed -2 | unverified | of a pass, granted since the receipt
    unchecked; answer | pro off | unverified | not granted, and Apple may give something
    pro -31, renewal grace 5 | pro to 9 | expiry_too_late e1
    pro -10 | pro to -1 | active_not_granted e1 | owed, and its expiry has passed
    pass -9 | pass off | owned_not_granted e1 | owed, of a pass
    pro -0.5 |  | nothing | owed, but missing, in the last day
    pro -10 | yearly to 9 gift | not_judged | of any source and product, which covers it
    solo -20 upgraded, max -10 | solo to 20 | product_mismatch e1
    pro -10 | solo to 20 chain 1 | product_mismatch e1
    # A right is owed on the row of the chain, else of the product, else on the latest one
    OTHERS = yearly off id a changed -3, LATEST
    LATEST = yearly off id x changed -2
    BOTH = consistent, consistent
    pro -10 | OTHERS, pro off, yearly off id z chain 1 | active_not_granted z, BOTH, consistent
    pro -10 | OTHERS, pro off id y | active_not_granted y, consistent, consistent
    pro -10 | OTHERS | active_not_granted x, consistent
    pro -10 | LATEST, yearly off id w changed -2 | active_not_granted w, consistent
    # A row of a chain that no answer shows, newer than the receipts, is unverified without proof
    ROW = pro to 20 chain 99
    answer / pro -20 / answer; answer sandbox, pro -20 of 98 | ROW changed -4 | unverified
    pro -80 | ROW changed -4 / max to 20 chain 99 changed -4 | unverified, expired
    x.monthly -80 | x.monthly to 20 chain 99 changed -4 | unverified, expired
    pro -20 cancelled -8 | ROW changed -4 | unverified, +refund
    pro -80 | ROW changed -6 / ROW changed -5 / pro to 20 changed -4 | expired_still_granted e1
    pro -80 | pro to 20 chain 1 changed -4 | expired_still_granted e1
    answer stored -60; answer stored -3, pro -80 | ROW changed -4 | expired_still_granted e1
    OTHER = receipt_for_other_app
    answer; answer sandbox, pro -20 of 99 | ROW changed -4 | sandbox_grants_production e1
    answer; answer for other, pro -20 of 99 | ROW changed -4 | OTHER, wrong_app_receipt e1
    answer  | ROW changed -6 / pro changed -2 / unlock | grant_without_transaction e1
    pro -20 | pro to 3 chain 99 changed -4  | expiry_too_early e1
    pro -20 | pro to 10 chain 99 changed -4 | consistent
    max -20 | pro to 10 chain 99 changed -4 | upgrade_not_applied e1
    # A receipt of a deleted account hides leaks of the rows that it may have proved
    GONE = receipt_account_gone
    gone | pro to 10 / unlock / pass to 10 / pro off to 10 | unverified, GONE
    pro -80; gone | pro to 10 | unverified, expired, GONE
    pro -20; gone | pro to 10 | consistent, GONE
    pro -20; gone | pro off to 10 | active_not_granted e1, GONE
    # Of a period under two ids with one line item the new one of the newest answer counts
    UPGRADE = LOST id 20 upgraded, max -5..25 id 30 order 78
    OLD = YEAR id 10 old
    LOST = YEAR cancelled -5
    YEAR = yearly -100..265 order 77
    TEN = yearly -100..265 id 10 old
    LACKING = yearly -100..265 id 20 order - cancelled -5
    BEFORE = answer made -40
    GRANTED = yearly to 265
    TAKEN = yearly off to 265
    OLD, YEAR id 20 / LOST id 10 old, YEAR id 20 / LOST id 9, YEAR id 10 | GRANTED | consistent
    BEFORE, YEAR id 10 cancelled -50; YEAR id 20 | GRANTED | consistent
    BEFORE, YEAR id 20 cancelled -50; YEAR id 10 | GRANTED | consistent
    answer made -9, YEAR id 5; LOST id 20 old | GRANTED | consistent
    OLD, UPGRADE / LOST id 10 old, UPGRADE | max to 25 | consistent
    OLD, UPGRADE / LOST id 10 old, UPGRADE | GRANTED | upgrade_not_applied e1
    OLD, LOST id 20 / YEAR id 20 old, LOST id 10 | TAKEN | consistent, +refund
    LOST id 10 old, LOST id 20 / BEFORE, YEAR id 20; LOST id 10 | TAKEN | consistent, +refund
    TEN order 76, LOST id 20 / OLD, LOST id 20 of 2 | GRANTED | consistent, +refund | two items
    OLD, max -10 id 20 cancelled -5 order 77 | GRANTED | consistent, +refund | of two products
    OLD, LOST id 20 / YEAR id 9, LOST id 10 / BEFORE, YEAR id 10; LOST id 20 | GRANTED | LEAK
    TEN, LOST id 20 / TEN order -, LACKING | TAKEN | active_not_granted e1, +refund
    # Restores with new ids count as one purchase; of several the last cancelled one decides
    AGAIN = unlock -100 id 6 of 5
    FIRST = unlock -300 id 5
    OWNED = unlock chain 5
    HELD = answer made -80
    FIRST, AGAIN / HELD, FIRST cancelled -85; unlock -60 id 6 of 5 | OWNED | consistent
    FIRST cancelled -9, AGAIN cancelled -9 | unlock off | consistent, +refund
    FIRST, AGAIN cancelled -9 | unlock off | consistent, +refund
    FIRST cancelled -50, unlock -40 id 8 | OWNED | consistent, +refund
    pass -20 cancelled -9, pass -20 family | pass to 10 | consistent, +refund
    FIRST, unlock -0.5 id 6 of 5 | unlock off | settling | restored in the last day
    FIRST cancelled -50, unlock -40 id 8 cancelled -20 | unlock off | consistent, +refund, +refund
    FIRST cancelled -9, AGAIN / HELD, AGAIN; FIRST cancelled -9 | OWNED | LEAK
    HELD, FIRST cancelled -85; answer | OWNED | LEAK
    SHARED = family_revoked_still_granted e1, +family
    pass -20 cancelled -9 | pass to 10 | LEAK
    FIRST cancelled -9 family | OWNED | SHARED
    pass -20 cancelled -9 family | pass to 10 | SHARED
    pass -20 cancelled -9, pass -20 cancelled -8 family | pass to 10 | SHARED, +refund
    pass -20 cancelled -8, pass -20 cancelled -9 family | pass to 10 | LEAK, +family
    # Apple charges up to a day early: a row may have the end and product of each renewal already.
    # 59 minutes are 0.041 days, 61 are 0.0424.
    SOON = pro -29.5, NEXT
    DOWN = max -29.5, NEXT
    NEXT = pro 0.5
    DUE = pro -29.5, pro
    SOON / DOWN / yearly -29.5, NEXT / SOON cancelled 0.7 / DUE 0.541 | pro to 30.5 | consistent
    SOON / SOON cancelled -0.1 | pro to 0.5 | consistent | with the end of this period
    DUE 0.459 | pro to 30.4 | consistent | 59 minutes before the end
    pro -29.001, pro 0.999 | pro to 30.999 | consistent | almost a day away
    pro -9.5..0.2, pro 0.2..0.5, pro 0.5..0.8 | pro to 0.8 | consistent | that is the first of two
    pro -30.02, pro 0.0147 | pro to 30 off | consistent | after a period that has ended
    DOWN | max to 0.5 | consistent | downgraded, on the old product
    pro -29.5, max 0.5 | max to 30.5 | consistent | upgraded, on the new product
    DOWN | pro to 30.5, max to 0.5 | consistent, consistent
    SOON | pro to 0.5 off | active_not_granted e1
    DUE 0.5424 / SOON of 2 / SOON cancelled -0.1 / SOON upgraded | pro to 30.5 | expiry_too_late e1
    DUE 0.4576 | pro to 30.4 | expiry_too_late e1 | 61 minutes before the end
    pro -28.999, pro 1.001 | pro to 31.001 | expiry_too_late e1 | over a day away
    SOON / DOWN | pro to 33 / pro to 40 | expiry_too_late e1 | with a later end than its own
    pro -9.5..0.2, pro 0.2..0.5, pro 0.5..0.8 | pro to 0.9 | expiry_too_late e1
    DOWN | pro to 0.2 | expiry_too_early e1 | downgraded, with an early end
    SOON / DOWN | pro | expiry_missing e1
    DOWN | lite to 0.5 | upgrade_not_applied e1
    max -28.5, pro 1.5 | pro to 31.5 | upgrade_not_applied e1 | downgraded over a day away
    # A product outside the catalogue is judged by its expiry or its signed kind, and never owed
    THEME = answer lifetime theme, theme -400
    THEME | theme off / theme | consistent
    x.monthly -10 / THEME |  | nothing | active or owned, without a row
    x.monthly -10 | x.monthly to 20 off chain 1 / x.monthly to 20 chain 1 | consistent
    x.monthly -35, renewal grace 5 on | x.monthly to -5 off chain 1 | consistent
    THEME cancelled -5 | theme off | consistent, +refund | refunded, on a row without grant
    THEME cancelled -5 | theme | LEAK
    x.monthly -10 cancelled -4 | x.monthly to 20 chain 1 | LEAK
    theme -400    | theme off | not_judged | of a kind that nothing says
    x.monthly -10 | x.monthly to 25 chain 1 | expiry_too_late e1
    x.monthly -10 | x.monthly to 5 chain 1  | expiry_too_early e1
    x.monthly -39 | x.monthly to 9 chain 1  | expired_still_granted e1
    x.monthly -10, pro -10 of 2 |  | active_not_granted | beside a product that is owed
    # The catalogue decides on a product's kind, else an expiry, else a signed receipt
    unlock -10..-5 | unlock | consistent
    answer lifetime coins, coins -10 | coins | not_judged
    answer lifetime x.monthly, x.monthly -10 | x.monthly to 25 chain 1 | expiry_too_late e1
    # A paid app's premium product is judged by source, purchase and version, and owed once
    PAID = freemium_paid_not_granted
    LACKS = answer unversioned
    BACK = full -9 cancelled -5
    answer iOS6 unversioned / answer sandbox version 1.0 / unchecked | full legacy | not_judged
    answer version 4.0 | full gift | not_judged | none, as a gift covers it
    answer for other version 1.0 | full legacy | not_judged, receipt_for_other_app
    answer version 4.0 | unlock legacy | not_judged, PAID
    full -9 / LACKS, full -9 / answer; LACKS; answer version 4.0 | full legacy | consistent
    answer version 4.10 | full | consistent | store's, paid for
    answer version 4.1b2, full -9 / answer version 4.0, full -9 | full | consistent | bought, too
    answer version 4.10, BACK | full legacy / full | consistent, +refund
    BACK | full legacy | freemium_granted_not_paid e1, +refund
    answer version 4.11, BACK | full | LEAK
    answer version 4.1b2, BACK | full | unverified, +refund
    answer; unchecked | full off legacy | unverified | app's, not granted
    answer version 4.0 | full off | PAID e1
    answer version 4.0, full -9 | full off | owned_not_granted e1
    full -9 | full off legacy | consistent, owned_not_granted
    answer version 4.0 | full off legacy changed -9, full off changed -8 | consistent, PAID e2
    answer version 4.0 | full off, full legacy | consistent, consistent
    full -9 | full off changed 0.1 / full off legacy changed 0.1 | settling
    LACKS; answer version 5.0 / answer version 5.0; LACKS | full legacy | freemium_undecidable e1
    # Refunds and ends of the last months are recorded for any product
    coins -9 cancelled -5 / nobody.knows -9 cancelled -5 |  | +refund
    pro -40 / pass -40 / pro -120 |  | expired | an expiry, also at the horizon
    pro -40, max -10 of 2 | max to 20 | consistent, expired | an expiry beside another chain
    pro -10 cancelled -4 upgraded / pro -120.01 / coins -99 cancelled -90.01 |  | nothing
    answer sandbox, pro -10 cancelled -4 / answer sandbox, pro -40 |  | nothing
    """

private let notReported = """
    recent                 | settling  | expired_still_granted | pro -30.5 | pro to 20
    changed_after_as_of    | settling  | | pro -40 | pro to 20 changed 0.1
    evidence_missing | unverified | expired_still_granted | pro -40; unchecked | pro to 20
    newer_than_receipts | unverified | grant_without_transaction | answer | unlock changed -2
    subscription_unknown | unverified | grant_without_transaction | answer | pro chain 9 changed -2
    paid_version_undecidable | unverified | grant_without_transaction | answer version - | full
    offline | unverified | grace_not_granted | pro -32, renewal grace 5 | pro off
    source                 | not_judged | |        | pro gift
    product_unknown        | not_judged | |        | nobody.sells
    consumable             | not_judged | |        | coins
    access_duration_unknown | not_judged | |        | pass.unknown
    no_receipt_of_app      | not_judged | |        | full legacy
    """.rows
