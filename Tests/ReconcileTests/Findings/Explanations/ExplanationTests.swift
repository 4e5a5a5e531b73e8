import Testing

@testable import Reconcile
@testable import TestSupport

@Suite("An explanation")
struct ExplanationTests {
    /// Each kind with its sentence; if its world is not that of `Line`, two days after its cause,
    /// with receipts and rows before it, and `offline` if it is judged so.
    private static let told = sentences.replacing("\n  ", with: " ").rows.map {
        Array($0.dropLast()) + $0.suffix(1).map(inFull)
    }

    @Test(
        "Each kind of the first table and each odd world has a sentence with its facts and rule",
        arguments: told)
    func sentence(cells: [String]) throws {
        let kind = try #require(FindingKind(rawValue: cells[0]))
        var judgement = (Line.all + Line.facts).first { $0.kind == kind }?.judgement(-2)
        let judge = cells.count > 4 ? Judge.offline : Self.judge
        if cells.count > 2 { judgement = judge.judgement(cells[1], cells[2]) }
        let finding = judgement?.findings.first { $0.kind == kind }
        #expect(finding?.explanation == cells.last)
    }

    @Test("Each kind of the first table has its sentence")
    func complete() {
        let kinds = Self.told.filter { $0.count == 2 }.map { $0[0] }
        #expect(kinds == Line.all.map(\.kind.rawValue) + ["refund_reversed"])
    }

    /// Here `acme` became free on a day.
    private static let judge: Judge = {
        let acme = CatalogApp(
            bundle: "acme", lastPaidVersion: "4.10", paidUntil: .day(-100), premiumProduct: "full")
        return Judge(Catalog(products: Array(Catalog.acme.products.values), apps: [acme]))
    }()
}

/// A sentence without abbreviations. `{-10}` is the instant of a day.
private func inFull(_ sentence: String) -> String {
    abbreviations.reduce(sentence) { $0.replacing($1.0, with: $1.1) }
        .replacing(#/<(paid|expired) (\S+ )?(-?\d+)>/#) { match in
            let shown = "Apple shows \(match.2 ?? "pro.monthly ")<1, \(match.3)> as \(match.1)"
            return shown + " \(match.1 == "paid" ? "until" : "since") {\((Int(match.3) ?? 0) + 30)}"
        }
        .replacing(#/<granted (\d+)>/#) { "but entitlement e1 grants pro.monthly until {\($0.1)}" }
        .replacing(#/<(\d+), (-?\d+)>/#) { "(transaction \($0.1), bought {\($0.2)})" }
        .replacing(#/{(-?\d+)}/#) { Instant.day(Double($0.1) ?? .nan).description }
}

private let abbreviations = """
    <endless>     | Entitlement e1 grants pro.monthly without an end (last changed {-2})
    <ending>      | Entitlement e1 grants pro.monthly until {20} (last changed {-10})
    <legacy> | Entitlement e1 grants full without an end, as paid for before the app became free
    <inactive>    | but entitlement e1 of pro.monthly is not active
    <right>       | the user has a right to it, <uncovered>
    <uncovered>   | and no other entitlement of the user covers it
    <of it>       | a purchase of it or of its subscription group
    <ended>       | : access should have ended with it.
    <the answer>  | Apple's answer to <r1>
    <r1>          | receipt r1, stored {-5} for acme,
    <first got>   | By Apple's answer to receipt r1 the user first got acme at
    <last paid>   | the last version that had to be paid for, "4.10"
    <looked into> | such dates should be looked into before anybody acts on them
    <verified> | but nothing on file gives it: Apple verified 1 of the 1 receipt that the user has \
    on file
    <unknown>     | renewals, refunds and expiries among it, is not known
    """.pairs

private let sentences = """
    refunded_still_granted | Apple refunded pro.monthly <1, -10> at {-2}, <granted 20>: what Apple
      has refunded is no longer paid for.
    family_revoked_still_granted | Apple withdrew the family sharing of pro.monthly <1, -10> at
      {-2}, <granted 20>: without the share this user has no right to it.
    expired_still_granted | <expired -32>, <granted 20><ended>
    billing_retry_still_granted | Apple cannot collect the renewal of pro.monthly <1, -32>, which
      expired {-2} and has no grace period left, <granted 20>: until Apple collects, nothing is paid
      for.
    grant_without_receipt | <endless>, but no receipt of this user is on file: nothing proves the
      purchase, and nothing disproves it.
    wrong_app_receipt | <endless>, but no receipt gives it, and max.monthly <1, -10>, <of it>, is in
      receipt r1, which Apple says is for other and not for acme, for which it is stored.
    sandbox_grants_production | <endless>, but no receipt gives it, and max.monthly <1, -10>,
      <of it> in receipt r1, is a test purchase in Apple's sandbox, which takes no payment.
    grant_without_transaction | <endless>, <verified>, and no purchase that they show up to {0} is
      of it or of its subscription group.
    freemium_undecidable | <legacy>, but Apple's answer to receipt r1 has the original version
      "4.1b2", which cannot be compared with <last paid>, and the catalogue names no day on which
      acme became free: it cannot be decided whether the user paid.
    freemium_granted_not_paid | <legacy> (last changed {-2}), but by Apple's answer to receipt r1
      the user first got acme at version "4.11", later than <last paid>, and no purchase of full
      replaces it: who came later did not pay for it.
    refund_reversed_not_restored | <paid -2>, <inactive>: Apple has reversed a refund of it that an
      earlier run saw, <uncovered>.
    active_not_granted | <paid -2>, <inactive>: <right>.
    grace_not_granted | Apple could not yet collect the renewal of pro.monthly <1, -32>, which
      expired {-2}, and grants a grace period until {5}, <inactive>: access continues during a grace
      period, <uncovered>.
    owned_not_granted | Apple shows unlock <1, -2> as owned and not refunded, but entitlement e1 of
      unlock is not active: <right>.
    freemium_paid_not_granted | <first got> version "4.9", not later than <last paid>, which gives
      full without an end, but entitlement e1 of full is not active <uncovered>.
    duplicate_grant | <paid max.monthly -2>, <granted 20>: entitlement e2 grants max.monthly
      already, and one purchase gives one of the two.
    upgrade_not_applied | <paid max.monthly -2>, <granted 20>: service level 1 was bought and level
      2 is granted, 1 being the highest.
    downgrade_not_applied | <paid lite.monthly -2>, <granted 20>: service level 3 was bought and
      level 2 is granted, 1 being the highest.
    product_mismatch | <paid pro.yearly -2>, <granted 20>: the two are different products, of one
      service level (2).
    expiry_missing | <paid -2>, but entitlement e1 grants pro.monthly without an end: the right has
      an end, and a grant without one never ends.
    expiry_too_late | <paid -2>, but entitlement e1 grants pro.monthly until 2026-12-18T02:01:01Z:
      the stored expiry is more than 60 s later than the latest end of the right, {28}.
    expiry_too_early | <paid -2>, but entitlement e1 grants pro.monthly until 2026-12-18T01:58:59Z:
      the stored expiry is more than 60 s earlier than the end of the right.
    ownership_mismatch | <paid -2>, with the ownership PURCHASED, <granted 28> with the ownership
      FAMILY_SHARED: both are known, and they differ.
    label_stale | <paid -2>, and says that it will not renew (auto_renew_status 0), <granted 28> and
      is stored as one that will renew.
    refund_reversed | Apple no longer shows a refund of pro.monthly <1, -20>, of {-2}, which an
      earlier run reported: the purchase is valid again.
    refund_recorded | pro -10 cancelled -4 reason 1 | | Apple refunded pro.monthly <1, -10> at {-4}
      because of an issue with the app.
    family_revocation_recorded | pro -10 cancelled -4 family | | Apple withdrew the family sharing
      of pro.monthly <1, -10> at {-4}.
    expired | pro -40 id 9 of 1, renewal intent 1 | | The subscription pro.monthly <9, -40>, of the
      original transaction 1, ended at {-10}, because the customer cancelled.
    owned_not_granted | unlock -9 family | | Apple shows unlock <1, -9> as shared by the family and
      not withdrawn, but the service has no entitlement for it on file: <right>.
    sandbox_grants_production | xcode | pro to 20 | <ending>, but no receipt gives it, and receipt
      r1 was made by Xcode's StoreKit testing, which takes no payment.
    product_mismatch | plus -10 | pro to 20 | <paid plus.monthly -10>, <granted 20>: the two are
      different products, and the catalogue does not say which of them gives more.
    implausible_dates | pro 3 | | <the answer> shows transaction 1 of pro.monthly as bought {3},
      more than 48 hours after the answer itself ({0}): <looked into>.
    implausible_dates | pro -10..-12 id 8, pro -10..-11 id 7; unchecked | | <the answer> shows
      transaction 7 of pro.monthly as expiring {-11}, before it was bought {-10}: <looked into>.
    implausible_dates | pro -10..290 id 7, pro -10..-11 id 8 | | <the answer> shows transaction 7 of
      pro.monthly as paid from {-10} to {290} without a trial or an offer, more than twice the
      catalogue's billing period of 30 days, and 180 days: <looked into>.
    parse_anomaly | answer hides 7 anomaly | | <the answer> holds 2 lines that are no transaction,
      for what is missing, unreadable or contradictory in "product_id", "purchase_date" of
      transaction 7: that was ignored, the rest was judged, and no user is accused of what it may
      have shown.
    receipt_for_other_app | answer for other | | Apple says that <r1> belongs to another app, other:
      it proves nothing for this one.
    receipt_not_authentic | forged | | The signature of <r1> does not fit its own bytes, and Apple
      cannot read it (status 21002): it was changed after it was signed and proves no purchase.
    receipt_account_gone | gone | | Apple said twice that the account of <r1> is not found or was
      deleted (status 21010): what it proved can no longer be checked.
    freemium_paid_not_granted | answer unversioned got -101; answer version 4.9 | | <first got>
      {-101}, before it became free at {-100}, which gives full without an end, but the service has
      no entitlement for it on file <uncovered>.
    freemium_undecidable | answer version 5; answer unversioned | full legacy | <legacy>, but
      Apple's answer to receipt r2 has no original version to compare with <last paid>, and the
      answer has no original purchase date either: it cannot be decided whether the user paid.
    grant_without_transaction | pro -10 upgraded, max -9 of 2 upgraded | pro to 20 | <ending>,
      <verified>, and of the purchases that they show up to {0} those of it, or of its subscription
      group, give no right: pro.monthly <1, -10>, which was upgraded, and 1 more.
    grant_without_transaction | pro -10.. | pro to 20 | <ending>, <verified>, and of the purchases
      that they show up to {0} those of it, or of its subscription group, give no right: pro.monthly
      <1, -10>, which has no expiry.
    grant_without_transaction | refused | pro to 20 | <ending>, but nothing on file gives it: Apple
      verified no receipt of the 1 that the user has on file.
    receipt_not_authentic | refused | | Apple said twice (status 21003) that <r1> could not be
      authenticated: it proves no purchase.
    wrong_app_receipt | answer for other, pro -10; pro -10 upgraded | pro to 20 | <ending>, but no
      receipt gives it, and pro.monthly <1, -10>, <of it>, is in receipt r1, which Apple says is for
      other and not for acme, for which it is stored.
    expired_still_granted | pro -40, renewal intent 2 grace -4 | pro to 20 | <expired -40>, because
      the payment failed, with a grace period until {-4}, <granted 20><ended>
    expired_still_granted | pro -40, pro -50 cancelled -3 | pro to 20 | <expired -40>, with a
      purchase of its chain cancelled at {-3}, <granted 20><ended>
    expired_still_granted | pass -40, pass -39 cancelled -3 | pass to 20 | Apple shows pass
      <1, -40>, which by the catalogue's access duration ended at {-10}, with another purchase of it
      cancelled at {-3}, but entitlement e1 grants pass until {20}<ended>
    billing_retry_still_granted | pro -40, renewal grace -4 retry | pro to 20 | Apple cannot collect
      the renewal of pro.monthly <1, -40>, which expired {-10}, with a grace period until {-4},
      <granted 20>: until Apple collects, nothing is paid for.
    active_not_granted | pro -10 | pro id e2 off gift | <paid -10>, but entitlement e2 of
      pro.monthly is not active (source "promo"): <right>.
    freemium_paid_not_granted | answer id b version 4.0; answer id a version 4.9 | full id e2 to -1
      gift | By Apple's answer to receipt a the user first got acme at version "4.9", not later than
      <last paid>, which gives full without an end, but entitlement e2 granted full only until {-1}
      (source "promo") <uncovered>.
    expiry_too_early | unlock -10 | unlock to 20 | Apple shows unlock <1, -10> as owned and not
      refunded, but entitlement e1 grants unlock until {20}: the right has no end, and the stored
      expiry would end it.
    expiry_too_late | pro -10 | pro to inf | <paid -10>, but entitlement e1 grants pro.monthly
      without an end (its expiry is stored as infinity): the stored expiry is more than 60 s later
      than the latest end of the right, {20}.
    active_not_granted | pro -10 | pro to -inf | <paid -10>, but entitlement e1 never grants
      pro.monthly (its expiry is stored as -infinity): <right>.
    label_stale | pro -32, renewal on grace 5 | pro to 5 ends | Apple could not yet collect the
      renewal of pro.monthly <1, -32>, which expired {-2}, and grants a grace period until {5}, and
      says that it will renew (auto_renew_status 1), <granted 5> and is stored as one that will not
      renew.
    active_not_granted | pro -10 | pro off | offline | <paid -10>, <inactive>: <right> (judged
      offline, by the receipt that Apple made {-3}: what came after it, <unknown>).
    grant_without_receipt | | pro | offline | Entitlement e1 grants pro.monthly without an end (last
      changed {-10}), but no receipt of this user is on file: nothing proves the purchase, and
      nothing disproves it (judged offline, by stored receipts alone: what came after they were
      made, <unknown>).
    """
