enum ExplainGolden {
    static let text = """
        User ann, in run 20261120T020000Z-00000a, judged as of 2026-11-20T02:00:00Z
        FINDING expired_still_granted (high, leak, new), since 2026-10-21T02:00:00Z
                       stored                            Apple
            state      granted                           expired                          ≠
            product    pro.monthly                       pro.monthly
            expires    2026-12-10T02:00:00Z              2026-10-21T02:00:00Z             ≠
            chain      1                                 1
            renews     yes                               no                               ≠
            ownership  PURCHASED                         PURCHASED
            row e-1, source promo, last changed 2026-11-01T00:00:00Z
            rule 3 of 24: the row grants, and what gave the right has expired
            receipt r-1 of acme, Production, Apple was asked at 2026-11-20T02:00:05Z, answer
            abababababababababababababababababababababababababababababababab
          The row e-1 grants pro.monthly, which expired.
          It is cleared when the row no longer grants (is_active false, or expires_at in the \
        past), or
          Apple's answers give the right.
          Its finding_id is 0123456789abcdef0123456789abcdef.
          Of the rules before it none matched: refunded_still_granted, \
        family_revoked_still_granted.

        CONSISTENT: the right product:maps
                       stored                            Apple
            state      granted                           active
            product    pro.monthly                       pro.monthly
            expires    2026-12-21T02:00:00Z              2026-12-21T02:00:00Z
            chain      1                                 1
            renews     yes                               no
            ownership  PURCHASED                         PURCHASED
            row e-2, source promo, last changed 2026-11-01T00:00:00Z
            receipt r-1 of acme, Production, Apple was asked at 2026-11-20T02:00:05Z, answer
            abababababababababababababababababababababababababababababababab
          Apple shows pro.monthly (transaction 2, bought 2026-09-21T02:00:00Z) as paid until
          2026-12-21T02:00:00Z, and entitlement e-2 grants pro.monthly until \
        2026-12-21T02:00:00Z: the two
          agree.

        What happened
          2026-08-21T02:00:00Z bought pro.monthly (trial), until 2026-09-21T02:00:00Z \
        transaction 1
                                [abababababab]
          2026-09-21T02:00:00Z renewed pro.monthly, until 2026-10-21T02:00:00Z transaction 2 \
        [abababababab]
          2026-11-20T02:00:00Z expired_still_granted 01234567: new, run 20261120T020000Z-00000a
          2026-11-20T09:00:00Z expired_still_granted 01234567: accepted by ada: known

        Receipts
          r-1 of acme: verified, status 0, Production, asked at 2026-11-20T02:00:05Z, answer
          abababababababababababababababababababababababababababababababab

        Asked now, at 2026-11-21T08:00:00Z; nothing of it is kept
          r-1 of acme: verified, status 0, Production, asked at 2026-11-20T02:00:05Z, answer
          abababababababababababababababababababababababababababababababab
          group:pro: finding expired_still_granted, Apple: expired until 2026-10-21T02:00:00Z \
        → consistent,
            Apple: active until 2026-12-10T02:00:00Z
            Apple shows pro.monthly (transaction 2, bought 2026-09-21T02:00:00Z) as paid until
            2026-12-10T02:00:00Z, and entitlement e-1 grants pro.monthly until \
        2026-12-10T02:00:00Z: the two
            agree.

        """

    /// In one line.
    static let json = """
        { "run_id": "20261120T020000Z-00000a", "state": "published", \
        "as_of": "2026-11-20T02:00:00Z", "user_id": "ann", "is_judged": true, "rights": [ \
        \(expired), \(agreeing("product:maps", "e-2", "2026-12-21T02:00:00Z")) ], \
        "findings": [ { "finding_id": "0123456789abcdef0123456789abcdef", \
        "kind": "expired_still_granted", "severity": "high", "direction": "leak", \
        "lifecycle": "new", "first_seen": "2026-11-20T02:00:00Z", "entitlement_id": "e-1", \
        "explanation": "The row e-1 grants pro.monthly, which expired.", \
        "proposed_action": "revoke", "goes_away_when": "the row no longer grants (is_active false, \
        or expires_at in the past), or Apple's answers give the right", \
        "evidence_sha256": \(digest) } ], "timeline": [ { "at": "2026-08-21T02:00:00Z", \
        "what": "bought pro.monthly (trial), until 2026-09-21T02:00:00Z", \
        "transaction_id": "1", "evidence_sha256": \(digest) }, { "at": "2026-09-21T02:00:00Z", \
        "what": "renewed pro.monthly, until 2026-10-21T02:00:00Z", "transaction_id": "2", \
        "evidence_sha256": \(digest) }, { "at": "2026-11-20T02:00:00Z", \
        "what": "expired_still_granted 01234567: new, run 20261120T020000Z-00000a", \
        "transaction_id": null, "evidence_sha256": null }, { "at": "2026-11-20T09:00:00Z", \
        "what": "expired_still_granted 01234567: accepted by ada: known", \
        "transaction_id": null, "evidence_sha256": null } ], "receipts": [ \(receipt) ], \
        "live": { "asked_at": "2026-11-21T08:00:00Z", "rights": [ \
        \(agreeing("group:pro", "e-1", "2026-12-10T02:00:00Z")), \
        \(agreeing("product:maps", "e-2", "2026-12-21T02:00:00Z")) ], "findings": [], \
        "receipts": [ \(receipt) ], "changes": [ { "subject": "group:pro", \
        "before": "finding expired_still_granted, Apple: expired until 2026-10-21T02:00:00Z", \
        "now": "consistent, Apple: active until 2026-12-10T02:00:00Z", \
        "sentence": "\(sentence("e-1", "2026-12-10T02:00:00Z"))" } ] } }
        """

    private static let digest = "\"" + String(repeating: "ab", count: 32) + "\""

    private static let receipt = """
        { "receipt_id": "r-1", "bundle_id": "acme", "outcome": "verified", "cause": null, \
        "environment": "Production", "answered_at": "2026-11-20T02:00:05Z", "last_status": 0, \
        "detail": null }
        """

    private static let expired = """
        { "right": "group:pro", "outcome": "finding", "kind": "expired_still_granted", \
        "cause": null, "rule": "the row grants, and what gave the right has expired", \
        "sentence": "The row e-1 grants pro.monthly, which expired.", "is_granted": true, \
        \(sides("e-1", "2026-12-10T02:00:00Z", "expired", "2026-10-21T02:00:00Z"))
        """

    private static func agreeing(_ right: String, _ row: String, _ end: String) -> String {
        """
        { "right": "\(right)", "outcome": "consistent", "kind": null, "cause": null, \
        "rule": null, "sentence": "\(sentence(row, end))", "is_granted": true, \
        \(sides(row, end, "active", end))
        """
    }

    private static func sentence(_ row: String, _ end: String) -> String {
        """
        Apple shows pro.monthly (transaction 2, bought 2026-09-21T02:00:00Z) as paid until \
        \(end), and entitlement \(row) grants pro.monthly until \(end): the two agree.
        """
    }

    private static func sides(
        _ row: String, _ expiry: String, _ state: String, _ end: String
    ) -> String {
        """
        "stored": { "entitlement_id": "\(row)", "product_id": "pro.monthly", \
        "source": "promo", "is_active": true, "expires_at": "\(expiry)", \
        "original_transaction_id": "1", "auto_renew": true, "ownership": "PURCHASED", \
        "updated_at": "2026-11-01T00:00:00Z" }, "apple": { "state": "\(state)", \
        "product_id": "pro.monthly", "transaction_id": "2", "original_transaction_id": "1", \
        "purchased_at": "2026-09-21T02:00:00Z", "ends_at": "\(end)", \
        "grace_period_expires_at": null, "will_renew": false, "ownership": "PURCHASED", \
        "is_trial": false, "reason": "voluntary", "receipt_id": "r-1", "bundle_id": "acme", \
        "environment": "Production" }, "other_purchases": 0, "paid_app": null }
        """
    }
}
