import Testing

@testable import Reconcile

@Suite("An explanation")
struct ExplanationTests {
    @Test(
        "Each line of the first table has an explanation with its facts and its rule",
        arguments: Line.all)
    func lines(line: Line) throws {
        let told = try #require(line.world(-2).finding)
        let expected = Self.sentences.filter { $0.hasPrefix("\(line.kind.rawValue): ") }
        #expect(["\(line.kind.rawValue): \(told.explanation)"] == expected)
    }

    @Test(
        "Events, receipts, rights without a row and odd worlds have explanations with their facts",
        arguments: zip(worlds, further))
    func others(
        world: (kind: FindingKind, receipts: [ReceiptEvidence], rows: [StoredEntitlement]),
        sentence: String
    ) {
        let findings = Self.judge.judgement(of: world.receipts, world.rows).findings
        let told = findings.first { $0.kind == world.kind }?.explanation
        #expect("\(world.kind.rawValue): \(told ?? "")" == sentence)
    }

    @Test("Each world has its explanation")
    func complete() { #expect(Self.worlds.count == Self.further.count) }

    @Test("The explanation is one sentence, and names the instant of event_at, for any user")
    func oneSentence() {
        var seen: Set<FindingKind> = []
        for seed in 0..<800 as Range<UInt64> {
            for finding in RandomAccount(seed: seed).judgement.findings {
                let text = finding.explanation
                let isSentence =
                    text.last == "." && !text.dropLast().contains(". ") && text.count > 40
                    && text.first?.isUppercase == true
                #expect(isSentence, "seed \(seed): \(text)")
                // The event of `label_stale` is the row's last change, which only settles it.
                guard let instant = finding.eventAt, finding.kind != .labelStale else { continue }
                #expect(text.contains(instant.description), "seed \(seed): \(instant): \(text)")
                seen.insert(finding.kind)
            }
        }
        #expect(seen.isSuperset(of: [.expiredStillGranted, .billingRetryStillGranted]))
    }

    /// Of the first table's lines, two days after the cause.
    private static let sentences = """
        refunded_still_granted: Apple refunded pro.monthly (transaction 1, bought \
        2026-11-10T02:00:00Z) at 2026-11-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: what Apple has refunded is no longer paid for.
        family_revoked_still_granted: Apple withdrew the family sharing of pro.monthly \
        (transaction 1, bought 2026-11-10T02:00:00Z) at 2026-11-18T02:00:00Z, but entitlement e1 \
        grants pro.monthly until 2026-12-10T02:00:00Z: without the share this user has no right to \
        it.
        expired_still_granted: Apple shows pro.monthly (transaction 1, bought \
        2026-10-19T02:00:00Z) as expired since 2026-11-18T02:00:00Z, but entitlement e1 grants \
        pro.monthly until 2026-12-10T02:00:00Z: access should have ended with it.
        billing_retry_still_granted: Apple cannot collect the renewal of pro.monthly (transaction \
        1, bought 2026-10-19T02:00:00Z), which expired 2026-11-18T02:00:00Z and has no grace \
        period left, but entitlement e1 grants pro.monthly until 2026-12-10T02:00:00Z: until Apple \
        collects, nothing is paid for.
        grant_without_receipt: Entitlement e1 grants pro.monthly without an end (last changed \
        2026-11-18T02:00:00Z), but no receipt of this user is on file: nothing proves the \
        purchase, and nothing disproves it.
        wrong_app_receipt: Entitlement e1 grants pro.monthly without an end (last changed \
        2026-11-18T02:00:00Z), but no receipt gives it, and max.monthly (transaction 1, bought \
        2026-11-10T02:00:00Z), a purchase of it or of its subscription group, is in receipt \
        r1, which Apple says is for other and not for acme, for which it is stored.
        sandbox_grants_production: Entitlement e1 grants pro.monthly without an end (last changed \
        2026-11-18T02:00:00Z), but no receipt gives it, and max.monthly (transaction 1, bought \
        2026-11-10T02:00:00Z), a purchase of it or of its subscription group in receipt r1, is a \
        test purchase in Apple's sandbox, for which nobody paid.
        grant_without_transaction: Entitlement e1 grants pro.monthly without an end (last changed \
        2026-11-18T02:00:00Z), but nothing on file gives it: Apple verified 1 of the 1 receipt \
        that the user has on file, and no purchase that they show up to 2026-11-20T02:00:00Z is of \
        it or of its subscription group.
        freemium_undecidable: Entitlement e1 grants full without an end, as paid for before the \
        app became free, but Apple's answer to receipt r1 has the original version "4.1b2", which \
        cannot be compared with the last version that had to be paid for, "4.10", and the \
        catalogue names no day on which acme became free: it cannot be decided whether the user \
        paid.
        freemium_granted_not_paid: Entitlement e1 grants full without an end, as paid for before \
        the app became free (last changed 2026-11-18T02:00:00Z), but by Apple's answer to receipt \
        r1 the user first got acme at version "4.11", later than the last version that had to be \
        paid for, "4.10", and no purchase of full replaces it: who came later did not pay \
        for it.
        refund_reversed_not_restored: Apple shows pro.monthly (transaction 1, bought \
        2026-11-18T02:00:00Z) as paid until 2026-12-18T02:00:00Z, but entitlement e1 of \
        pro.monthly is not active: Apple has reversed a refund of it that an earlier run saw, \
        and no other entitlement of the user covers it.
        active_not_granted: Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) \
        as paid until 2026-12-18T02:00:00Z, but entitlement e1 of pro.monthly is not active: the \
        user has a right to it, and no other entitlement of the user covers it.
        grace_not_granted: Apple could not yet collect the renewal of pro.monthly (transaction 1, \
        bought 2026-10-19T02:00:00Z), which expired 2026-11-18T02:00:00Z, and grants a grace \
        period until 2026-11-25T02:00:00Z, but entitlement e1 of pro.monthly is not active: \
        access continues during a grace period, and no other entitlement of the user covers it.
        owned_not_granted: Apple shows unlock (transaction 1, bought 2026-11-18T02:00:00Z) as \
        owned and not refunded, but entitlement e1 of unlock is not active: the user has a right \
        to it, and no other entitlement of the user covers it.
        freemium_paid_not_granted: By Apple's answer to receipt r1 the user first got acme at \
        version "4.9", not later than the last version that had to be paid for, "4.10", which \
        gives full without an end, but entitlement e1 of full is not active and no other \
        entitlement of the user covers it.
        duplicate_grant: Apple shows max.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as \
        paid until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: entitlement e2 grants max.monthly already, and one purchase gives \
        one of the two.
        upgrade_not_applied: Apple shows max.monthly (transaction 1, bought 2026-11-18T02:00:00Z) \
        as paid until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: service level 1 was bought and level 2 is granted, 1 being the \
        highest.
        downgrade_not_applied: Apple shows lite.monthly (transaction 1, bought \
        2026-11-18T02:00:00Z) as paid until 2026-12-18T02:00:00Z, but entitlement e1 grants \
        pro.monthly until 2026-12-10T02:00:00Z: service level 3 was bought and level 2 is granted, \
        1 being the highest.
        product_mismatch: Apple shows pro.yearly (transaction 1, bought 2026-11-18T02:00:00Z) as \
        paid until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-10T02:00:00Z: the two are different products, of one service level (2).
        expiry_missing: Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as \
        paid until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly without an end: the \
        right has an end, and a grant without one never ends.
        expiry_too_late: Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as \
        paid until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-18T02:01:01Z: the stored expiry is more than 60 s later than the latest end of the \
        right, 2026-12-18T02:00:00Z.
        expiry_too_early: Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as \
        paid until 2026-12-18T02:00:00Z, but entitlement e1 grants pro.monthly until \
        2026-12-18T01:58:59Z: the stored expiry is more than 60 s earlier than the end of the right.
        ownership_mismatch: Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) \
        as paid until 2026-12-18T02:00:00Z, with the ownership PURCHASED, but entitlement e1 \
        grants pro.monthly until 2026-12-18T02:00:00Z with the ownership FAMILY_SHARED: both are \
        known, and they differ.
        label_stale: Apple shows pro.monthly (transaction 1, bought 2026-11-18T02:00:00Z) as paid \
        until 2026-12-18T02:00:00Z, and says that it will not renew (auto_renew_status 0), but \
        entitlement e1 grants pro.monthly until 2026-12-18T02:00:00Z and is stored as one that \
        will renew.
        """.split(separator: "\n").map(String.init)
}
