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
          It goes away when the row grants no more (is_active false, or expires_at in the \
        past), or Apple's
          answers give the right.
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
}
