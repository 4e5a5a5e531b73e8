import Testing

@testable import Reconcile
@testable import TestSupport

/// Apple shows some periods under two transaction ids: an old one in `in_app`, a new one in
/// `latest_receipt_info`, both with one `web_order_line_item_id`.
@Suite("A period under two transaction ids")
struct PeriodUnderTwoIDsTests {
    /// The new line of an UPGRADE says that the period was upgraded.
    @Test(
        "The new transaction of the newest answer counts, where both share a line item",
        arguments: scenes(
            """
            YEAR id 10 old, YEAR id 20 | GRANTED   | consistent | active
            LOST id 10 old, YEAR id 20 | GRANTED   | consistent | cancelled in `in_app` only
            LOST id 9, YEAR id 10      | GRANTED | consistent | refunded in the smaller of two lines
            answer made -40, YEAR id 10 cancelled -50; YEAR id 20 | GRANTED   | consistent
            answer made -40, YEAR id 20 cancelled -50; YEAR id 10 | GRANTED   | consistent
            answer made -9, YEAR id 5; LOST id 20 old | GRANTED   | consistent
            YEAR id 10 old, UPGRADE    | max to 25 | consistent | upgraded, on the new product
            LOST id 10 old, UPGRADE    | max to 25 | consistent | upgraded and cancelled, on the new
            YEAR id 10 old, UPGRADE    | GRANTED   | upgrade_not_applied e1
            LOST id 10 old, UPGRADE    | GRANTED   | upgrade_not_applied e1
            YEAR id 10 old, LOST id 20 | TAKEN     | consistent, +refund
            YEAR id 20 old, LOST id 10 | TAKEN     | consistent, +refund
            LOST id 10 old, LOST id 20 | TAKEN | consistent, +refund | refunded under both ids, once
            answer made -40, YEAR id 20; LOST id 10 | TAKEN     | consistent, +refund
            TEN order 76, LOST id 20   | GRANTED   | consistent, +refund | with two line items
            YEAR id 10 old, max -10 id 20 cancelled -5 order 77 | GRANTED   | consistent, +refund
            YEAR id 10 old, LOST id 20 of 2 | GRANTED   | consistent, +refund | of two chains
            YEAR id 10 old, LOST id 20 | GRANTED   | refunded_still_granted e1, +refund
            YEAR id 9, LOST id 10      | GRANTED   | refunded_still_granted e1, +refund
            answer made -40, YEAR id 10; LOST id 20 | GRANTED   | refunded_still_granted e1, +refund
            TEN, LOST id 20 | TAKEN | active_not_granted e1, +refund | without a line item
            TEN order -, yearly -100..265 id 20 order - cancelled -5 | TAKEN | active_not_granted \
            e1, +refund
            """,
            where: [
                "UPGRADE": "LOST id 20 upgraded, max -5..25 id 30 order 78",
                "LOST": "YEAR cancelled -5", "YEAR": "yearly -100..265 order 77",
                "TEN": "yearly -100..265 id 10 old", "GRANTED": "yearly to 265",
                "TAKEN": "yearly off to 265",
            ]))
    func counts(row: AnsweredCase) { row.check() }
}

/// Restoring a non-consumable gives it a new transaction id: lines with one original id are one
/// purchase.
@Suite("A one-time purchase")
struct OneTimePurchaseTests {
    @Test(
        "Its restores count as one purchase; of several purchases the last cancelled one decides",
        arguments: scenes(
            """
            FIRST, AGAIN                 | OWNED      | consistent | not refunded
            answer made -80, FIRST cancelled -85; unlock -60 id 6 of 5 | OWNED      | consistent
            FIRST cancelled -9, AGAIN cancelled -9 | unlock off | consistent, +refund
            FIRST, AGAIN cancelled -9    | unlock off | consistent, +refund
            FIRST cancelled -50, unlock -40 id 8 | OWNED      | consistent, +refund
            pass -20 cancelled -9, pass -20 family | PASS       | consistent, +refund
            FIRST, unlock -0.5 id 6 of 5 | unlock off | settling   | restored in the last day
            FIRST cancelled -50, unlock -40 id 8 cancelled -20 | unlock off | consistent, \
            +refund, +refund
            FIRST cancelled -9, AGAIN    | OWNED      | refunded_still_granted e1, +refund
            answer made -80, AGAIN; FIRST cancelled -9 | OWNED | refunded_still_granted e1, +refund
            answer made -80, FIRST cancelled -85; answer | OWNED | refunded_still_granted e1, \
            +refund
            pass -20 cancelled -9 | PASS | refunded_still_granted e1, +refund | a refunded pass
            FIRST cancelled -9 family    | OWNED      | family_revoked_still_granted e1, +family
            pass -20 cancelled -9 family | PASS       | family_revoked_still_granted e1, +family
            pass -20 cancelled -9, pass -20 cancelled -8 family | PASS | \
            family_revoked_still_granted e1, +family, +refund
            pass -20 cancelled -8, pass -20 cancelled -9 family | PASS | refunded_still_granted \
            e1, +family, +refund
            """,
            where: [
                "AGAIN": "unlock -100 id 6 of 5", "FIRST": "unlock -300 id 5",
                "OWNED": "unlock chain 5", "PASS": "pass to 10",
            ]))
    func isOnePurchase(row: AnsweredCase) { row.check() }
}

/// Apple charges up to a day early: the answer has the next period before it begins. The current
/// period ends half a day after the instant of judgement.
@Suite("A renewal charged ahead")
struct RenewalChargedAheadTests {
    /// 59 minutes are 0.041 days, 61 are 0.0424.
    @Test(
        "A row may have the end and the product of each renewal, which gives no right yet",
        arguments: scenes(
            """
            pro -29.5, pro 0.5   | pro to 30.5 | consistent         | with its end stored
            pro -29.5, pro 0.5   | pro to 0.5  | consistent         | with the end of this period
            pro -29.5, pro 0.541 | pro to 30.5 | consistent         | 59 minutes after the end
            pro -29.5, pro 0.459 | pro to 30.4 | consistent         | 59 minutes before the end
            pro -29.001, pro 0.999 | pro to 30.999 | consistent         | almost a day away
            pro -29.5, pro 0.5 cancelled 0.7 | pro to 30.5 | consistent | cancelled in the future
            TWO                  | pro to 0.8  | consistent         | that is the first of two
            pro -30.02, pro 0.0147 | pro to 30 off | consistent | after a period that has ended
            pro -29.5, pro 0.5 cancelled -0.1 | pro to 0.5  | consistent
            max -29.5, pro 0.5   | pro to 30.5 | consistent         | downgraded, on the new product
            max -29.5, pro 0.5   | max to 0.5  | consistent         | downgraded, on the old product
            pro -29.5, max 0.5   | max to 30.5 | consistent         | upgraded, on the new product
            yearly -29.5, pro 0.5 | pro to 30.5 | consistent         | changed to a product alike
            max -29.5, pro 0.5   | pro to 30.5, max to 0.5 | consistent, consistent
            pro -29.5, pro 0.5   | pro to 0.5 off | active_not_granted e1
            pro -29.5, pro 0.5424 | pro to 30.5 | expiry_too_late e1 | 61 minutes after the end
            pro -29.5, pro 0.4576 | pro to 30.4 | expiry_too_late e1 | 61 minutes before the end
            pro -28.999, pro 1.001 | pro to 31.001 | expiry_too_late e1 | over a day away
            pro -29.5, pro 0.5   | pro to 33   | expiry_too_late e1 | with an end later than its own
            pro -29.5, pro 0.5 of 2 | pro to 30.5 | expiry_too_late e1 | of another chain
            pro -29.5, pro 0.5 cancelled -0.1 | pro to 30.5 | expiry_too_late e1 | cancelled at once
            pro -29.5, pro 0.5 upgraded | pro to 30.5 | expiry_too_late e1 | replaced by an upgrade
            TWO                  | pro to 0.9  | expiry_too_late e1 | of two, with a later end
            max -29.5, pro 0.5   | pro to 40   | expiry_too_late e1 | downgraded, with a late end
            max -29.5, pro 0.5   | pro to 0.2  | expiry_too_early e1 | downgraded, with an early end
            pro -29.5, pro 0.5   | pro         | expiry_missing e1  | and no end stored
            max -29.5, pro 0.5   | pro         | expiry_missing e1  | downgraded, without an end
            max -29.5, pro 0.5   | lite to 0.5 | upgrade_not_applied e1
            max -28.5, pro 1.5   | pro to 31.5 | upgrade_not_applied e1 | downgraded over a day away
            """, where: ["TWO": "pro -9.5..0.2, pro 0.2..0.5, pro 0.5..0.8"]))
    func isCompared(row: AnsweredCase) { row.check() }
}

/// Rows of such products are judged, and `unknown_product` is reported in place of any owed right.
@Suite("A product outside the catalogue")
struct RetiredProductTests {
    @Test(
        "A product is judged by its expiry or its kind in a signed receipt, and is never owed",
        arguments: scenes(
            """
            THEME         | theme off | consistent | bought once, on a row without grant
            THEME         | theme                       | consistent | bought once, on a granted row
            x.monthly -10 |                             | nothing    | active, without a row
            THEME         |                             | nothing    | bought once, without a row
            x.monthly -10 | x.monthly to 20 off chain 1 | consistent
            x.monthly -35, renewal grace 5 on | x.monthly to -5 off chain 1 | consistent
            x.monthly -10 | x.monthly to 20 chain 1     | consistent | active, on a granted row
            THEME cancelled -5 | theme off | consistent, +refund | refunded, on a row without grant
            THEME cancelled -5 | theme                       | refunded_still_granted e1, +refund
            x.monthly -10 cancelled -4 | x.monthly to 20 chain 1 | refunded_still_granted e1, \
            +refund
            theme -400    | theme off                   | not_judged | of a kind that nothing says
            x.monthly -10 | x.monthly to 25 chain 1     | expiry_too_late e1
            x.monthly -10 | x.monthly to 5 chain 1      | expiry_too_early e1
            x.monthly -39 | x.monthly to 9 chain 1      | expired_still_granted e1
            x.monthly -10, pro -10 of 2 |  | active_not_granted | beside a product that is owed
            """, where: ["THEME": "answer lifetime theme, theme -400"]))
    func isJudged(row: AnsweredCase) { row.check() }
}
