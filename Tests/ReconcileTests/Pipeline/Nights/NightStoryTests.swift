import Testing

@testable import Reconcile
@testable import TestSupport

/// Each story is its title, after `#`, and its nights.
@Suite("Findings over several nightly runs", .database, .timeLimit(.minutes(10)))
struct NightStoryTests: DatabaseSuite {
    private static let leak = "expired_still_granted"
    private static let shared = "shared_original_transaction"
    private static let couple = "ann running granted; bob running granted"

    private static let stories = """
        # A finding persists, also unseen, is cleared once its row grants nothing, and is reopened
        ann ended granted | \(leak) new ann | | expired remembered ann, \(leak) open ann
        | \(leak) persisting ann
        ann silent |
        |
        ann ended | \(leak) persisting ann
        ann silent |
        ann revoked | | \(leak) ann
        ann ended |
        ann granted | \(leak) reopened ann
        | \(leak) persisting ann
        ann silent |
        ann revoked ended | | \(leak) ann
        # Failed, unfinished and partial runs leave no history
        failed; ann ended granted; bob refunded:2 | \(leak) new ann, refund_recorded new bob
        unfinished | \(leak) new ann, refund_recorded new bob
        | \(leak) new ann, refund_recorded new bob | \
        | expired remembered ann, \(leak) open ann, refund_recorded event bob
        only ann; ann revoked | | \(leak) ann
        ann granted | \(leak) persisting ann
        # A reversed refund is reported as owed, and once restored it is reported once
        ann refunded:2 revoked | refund_recorded new ann
        ann running:2 | refund_reversed_not_restored new ann
        ann granted | expiry_missing new ann, refund_reversed new ann \
        | refund_reversed_not_restored ann
        | expiry_missing persisting ann
        # Findings of a user without stored rows are cleared
        ann ended granted; bob refunded:2 | \(leak) new ann, refund_recorded new bob
        sql delete from team.receipts; sql delete from team.entitlements | | \(leak) ann
        |
        # The last report of a finding that an outage keeps open stays, and can be cleared
        ann ended granted | \(leak) new ann
        ann silent |
        |
        prune 3 2; ann revoked | | \(leak) ann
        # An event is not reported again when the run that reported it was pruned
        ann ended | expired new ann
        |
        prune 2 1 |
        # A shared subscription persists, stays open without an answer, and is cleared
        \(couple) | \(shared) new ann bob
        | \(shared) persisting ann bob
        bob silent |
        | | | \(shared) open ann bob
        bob running | \(shared) persisting ann bob
        bob running:2 | | \(shared) ann bob | \(shared) closed ann bob
        bob running | \(shared) reopened ann bob
        # An unknown product can be accepted, and is cleared by the catalogue, not by an outage
        ann unknown:9; bob running granted | unknown_product new -
        ann silent |
        ann unknown:9 | unknown_product persisting -
        accept unknown_product | unknown_product accepted -
        bob silent; sql insert into team.products values ('x.monthly', 'auto_renewable') \
        | active_not_granted new ann | unknown_product -
        # A partial run neither clears nor remembers findings over several users
        \(couple); eve unknown:9 | \(shared) new ann bob, unknown_product new -
        only bob |
        # A replay takes the lifecycle from the replayed run, and for one user that user's findings
        ann running revoked; bob running revoked; eve unknown:9; fay refunded:4 \
        | active_not_granted new ann bob, refund_recorded new fay, unknown_product new -
        ann granted; bob running:2 granted; eve running:3 \
        | active_not_granted new eve, expiry_missing new ann bob \
        | active_not_granted ann bob, unknown_product -
        replay 2 | active_not_granted new eve, expiry_missing new ann bob \
        | active_not_granted ann bob, unknown_product -
        replay 2; only bob | expiry_missing new bob | active_not_granted bob
        | active_not_granted persisting eve, expiry_missing persisting ann bob
        replay 5 | active_not_granted persisting eve, expiry_missing persisting ann bob
        replay 1 | expiry_missing new ann bob, refund_recorded new fay, \
        \(shared) new ann bob, unknown_product new -
        # A shared receipt of a paid app stays open without an answer, and is cleared with one
        sql insert into team.products values ('full', 'non_consumable'); \
        sql insert into team.apps values ('acme', '4.10', null, 'full'); \
        ann version:4.2 granted; bob version:4.2 granted copy:ann; \
        sql update team.entitlements set product = 'full', expires = null, source = 'legacy_paid' \
        | shared_receipt new ann bob
        ann silent |
        ann version:4.2 | shared_receipt persisting ann bob
        bob copy:bob | | shared_receipt ann bob
        # A finding about a user who is no longer granted anything is cleared
        \(couple) | \(shared) new ann bob
        ann silent revoked; bob silent | | \(shared) ann
        # A finding stays open while the granted row is in flux or cannot be read
        \(couple) | \(shared) new ann bob
        sql update team.entitlements set at = '2027-01-01' where who = 'ann' \
        | \(shared) persisting bob
        sql update team.entitlements set at = null where who = 'ann' \
        | \(shared) persisting bob
        sql update team.entitlements set at = '2026-10-01' \
        | \(shared) persisting ann bob
        # Missing evidence counts only for users who had the subscription in the last run
        \(couple); cyd running | active_not_granted new cyd, \(shared) new ann bob
        only ann bob | \(shared) persisting ann bob
        cyd running:3 | active_not_granted persisting cyd, \(shared) persisting ann bob
        cyd silent; bob running:2 | | \(shared) ann bob
        # Missing evidence for the finding's own user is ignored, since the others' answers decide
        \(couple); ann receipt:silent | \(shared) new ann bob
        bob running:2 | | \(shared) ann bob
        # A shared purchase stays open though the run that showed it last was pruned
        ann running granted; bob running | active_not_granted new bob, \(shared) new ann
        bob silent |
        prune 2 1 |
        # An expiry is reported once a user when the receipt moves to another user
        ann ended | expired new ann
        |
        sql update team.receipts set who = 'bob' | expired new bob
        |
        sql update team.receipts set who = 'ann' |
        # An expiry is reported to each of two users, with or without a granted row
        ann ended granted; bob ended revoked | expired new bob, \(leak) new ann, \(shared) new ann
        # For another user the purchase is owed as usual, since refunds are kept by user
        ann refunded:2 | refund_recorded new ann
        sql update team.receipts set who = 'bob'; ann running:2 | active_not_granted new bob
        bob granted | | active_not_granted bob
        # A refund that moved to another user is not reported again, and can be reversed there
        ann refunded:2 | refund_recorded new ann
        sql update team.receipts set who = 'bob' | | \
        | refund_recorded event ann, refund_recorded remembered bob
        ann running:2 | refund_reversed_not_restored new bob
        # A run with an earlier as_of takes no refund for reversed
        ann refunded:2; bob refunded:3 granted \
        | refund_recorded new ann bob, refunded_still_granted new bob
        day -7 | active_not_granted new ann | refunded_still_granted bob
        day 0.5 | refunded_still_granted reopened bob | active_not_granted ann
        # A refund is reported once though the purchase gets another id, and its reversal is owed
        ann month:10:77:refunded; bob month:10:77:refunded; cyd month:10:77:refunded; \
        dan month:10:77:refunded; eve unlock:10:refunded; fay unlock:10:refunded \
        | refund_recorded new ann bob cyd dan eve fay
        ann month:20:77:refunded; bob month:5:77:refunded; cyd month:20:78:refunded; \
        dan month:20:77; eve unlock:20:refunded; fay unlock:20 \
        | refund_recorded new cyd, refund_reversed_not_restored new dan fay
        # A refund beyond the horizon counts as reported, so a longer horizon causes no flood
        ann old:2:refunded | | | refund_recorded remembered ann
        horizon 365 |
        ann old:2 |
        """

    @Test(
        "Each night reports and clears what it must, and leaves the history that it must",
        arguments: stories.split(separator: "# "))
    func history(story: Substring) async throws {
        try await nights.spend(String(story.drop { $0 != "\n" }))
    }

    @Test(
        "Missing evidence clears neither another user's shared subscription nor a product",
        arguments: """
            bob silent |
            bob undated | parse_anomaly
            sql update team.receipts set data = null where who = 'bob' |
            sql update team.receipts set data = 'no receipt' where who = 'bob' | receipt_malformed
            sql update team.receipts set data = 'eyJh.eyJi.c2ln' where who = 'bob' | receipt_is_jws
            """.pairs)
    func doubt(change: String, kind: String) async throws {
        func told(_ rest: String) -> String { kind.isEmpty ? "" : "\(kind) \(rest)" }
        try await nights.spend(
            """
            ann running granted; bob running unknown:9 | active_not_granted new bob, \
            \(Self.shared) new ann, unknown_product new -
            \(change) | \(told("new bob"))
            | \(told("persisting bob"))
            bob running unknown:9 copy:bob | active_not_granted persisting bob, \
            \(Self.shared) persisting ann, unknown_product persisting - | \(told("bob"))
            bob running:2 | active_not_granted persisting bob \
            | \(Self.shared) ann, unknown_product -
            """)
    }
}
