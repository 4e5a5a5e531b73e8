extension ExplainGolden {
    static let json = """
        {
          "run_id": "20261120T020000Z-00000a",
          "state": "published",
          "as_of": "2026-11-20T02:00:00Z",
          "user_id": "ann",
          "is_judged": true,
          "rights": [
            {
              "right": "group:pro",
              "outcome": "finding",
              "kind": "expired_still_granted",
              "cause": null,
              "rule": "the row grants, and what gave the right has expired",
              "sentence": "The row e-1 grants pro.monthly, which expired.",
              "is_granted": true,
              "stored": {
                "entitlement_id": "e-1",
                "product_id": "pro.monthly",
                "source": "promo",
                "is_active": true,
                "expires_at": "2026-12-10T02:00:00Z",
                "original_transaction_id": "1",
                "auto_renew": true,
                "ownership": "PURCHASED",
                "updated_at": "2026-11-01T00:00:00Z"
              },
              "apple": {
                "state": "expired",
                "product_id": "pro.monthly",
                "transaction_id": "2",
                "original_transaction_id": "1",
                "purchased_at": "2026-09-21T02:00:00Z",
                "ends_at": "2026-10-21T02:00:00Z",
                "grace_period_expires_at": null,
                "will_renew": false,
                "ownership": "PURCHASED",
                "is_trial": false,
                "reason": "voluntary",
                "receipt_id": "r-1",
                "bundle_id": "acme",
                "environment": "Production"
              },
              "other_purchases": 0,
              "paid_app": null
            },
            {
              "right": "product:maps",
              "outcome": "consistent",
              "kind": null,
              "cause": null,
              "rule": null,
              "sentence": "Apple shows pro.monthly (transaction 2, bought \
        2026-09-21T02:00:00Z) as paid until 2026-12-21T02:00:00Z, and entitlement e-2 grants \
        pro.monthly until 2026-12-21T02:00:00Z: the two agree.",
              "is_granted": true,
              "stored": {
                "entitlement_id": "e-2",
                "product_id": "pro.monthly",
                "source": "promo",
                "is_active": true,
                "expires_at": "2026-12-21T02:00:00Z",
                "original_transaction_id": "1",
                "auto_renew": true,
                "ownership": "PURCHASED",
                "updated_at": "2026-11-01T00:00:00Z"
              },
              "apple": {
                "state": "active",
                "product_id": "pro.monthly",
                "transaction_id": "2",
                "original_transaction_id": "1",
                "purchased_at": "2026-09-21T02:00:00Z",
                "ends_at": "2026-12-21T02:00:00Z",
                "grace_period_expires_at": null,
                "will_renew": false,
                "ownership": "PURCHASED",
                "is_trial": false,
                "reason": "voluntary",
                "receipt_id": "r-1",
                "bundle_id": "acme",
                "environment": "Production"
              },
              "other_purchases": 0,
              "paid_app": null
            }
          ],
          "findings": [
            {
              "finding_id": "0123456789abcdef0123456789abcdef",
              "kind": "expired_still_granted",
              "severity": "high",
              "direction": "leak",
              "lifecycle": "new",
              "first_seen": "2026-11-20T02:00:00Z",
              "entitlement_id": "e-1",
              "explanation": "The row e-1 grants pro.monthly, which expired.",
              "proposed_action": "revoke",
              "goes_away_when": "the row grants no more (is_active false, or expires_at in \
        the past), or Apple's answers give the right",
              "evidence_sha256": \
        "abababababababababababababababababababababababababababababababab"
            }
          ],
          "timeline": [
            {
              "at": "2026-08-21T02:00:00Z",
              "what": "bought pro.monthly (trial), until 2026-09-21T02:00:00Z",
              "transaction_id": "1",
              "evidence_sha256": \
        "abababababababababababababababababababababababababababababababab"
            },
            {
              "at": "2026-09-21T02:00:00Z",
              "what": "renewed pro.monthly, until 2026-10-21T02:00:00Z",
              "transaction_id": "2",
              "evidence_sha256": \
        "abababababababababababababababababababababababababababababababab"
            },
            {
              "at": "2026-11-20T02:00:00Z",
              "what": "expired_still_granted 01234567: new, run 20261120T020000Z-00000a",
              "transaction_id": null,
              "evidence_sha256": null
            },
            {
              "at": "2026-11-20T09:00:00Z",
              "what": "expired_still_granted 01234567: accepted by ada: known",
              "transaction_id": null,
              "evidence_sha256": null
            }
          ],
          "receipts": [
            {
              "receipt_id": "r-1",
              "bundle_id": "acme",
              "outcome": "verified",
              "cause": null,
              "environment": "Production",
              "answered_at": "2026-11-20T02:00:05Z",
              "last_status": 0,
              "detail": null
            }
          ],
          "live": {
            "asked_at": "2026-11-21T08:00:00Z",
            "rights": [
              {
                "right": "group:pro",
                "outcome": "consistent",
                "kind": null,
                "cause": null,
                "rule": null,
                "sentence": "Apple shows pro.monthly (transaction 2, bought \
        2026-09-21T02:00:00Z) as paid until 2026-12-10T02:00:00Z, and entitlement e-1 grants \
        pro.monthly until 2026-12-10T02:00:00Z: the two agree.",
                "is_granted": true,
                "stored": {
                  "entitlement_id": "e-1",
                  "product_id": "pro.monthly",
                  "source": "promo",
                  "is_active": true,
                  "expires_at": "2026-12-10T02:00:00Z",
                  "original_transaction_id": "1",
                  "auto_renew": true,
                  "ownership": "PURCHASED",
                  "updated_at": "2026-11-01T00:00:00Z"
                },
                "apple": {
                  "state": "active",
                  "product_id": "pro.monthly",
                  "transaction_id": "2",
                  "original_transaction_id": "1",
                  "purchased_at": "2026-09-21T02:00:00Z",
                  "ends_at": "2026-12-10T02:00:00Z",
                  "grace_period_expires_at": null,
                  "will_renew": false,
                  "ownership": "PURCHASED",
                  "is_trial": false,
                  "reason": "voluntary",
                  "receipt_id": "r-1",
                  "bundle_id": "acme",
                  "environment": "Production"
                },
                "other_purchases": 0,
                "paid_app": null
              },
              {
                "right": "product:maps",
                "outcome": "consistent",
                "kind": null,
                "cause": null,
                "rule": null,
                "sentence": "Apple shows pro.monthly (transaction 2, bought \
        2026-09-21T02:00:00Z) as paid until 2026-12-21T02:00:00Z, and entitlement e-2 grants \
        pro.monthly until 2026-12-21T02:00:00Z: the two agree.",
                "is_granted": true,
                "stored": {
                  "entitlement_id": "e-2",
                  "product_id": "pro.monthly",
                  "source": "promo",
                  "is_active": true,
                  "expires_at": "2026-12-21T02:00:00Z",
                  "original_transaction_id": "1",
                  "auto_renew": true,
                  "ownership": "PURCHASED",
                  "updated_at": "2026-11-01T00:00:00Z"
                },
                "apple": {
                  "state": "active",
                  "product_id": "pro.monthly",
                  "transaction_id": "2",
                  "original_transaction_id": "1",
                  "purchased_at": "2026-09-21T02:00:00Z",
                  "ends_at": "2026-12-21T02:00:00Z",
                  "grace_period_expires_at": null,
                  "will_renew": false,
                  "ownership": "PURCHASED",
                  "is_trial": false,
                  "reason": "voluntary",
                  "receipt_id": "r-1",
                  "bundle_id": "acme",
                  "environment": "Production"
                },
                "other_purchases": 0,
                "paid_app": null
              }
            ],
            "findings": [],
            "receipts": [
              {
                "receipt_id": "r-1",
                "bundle_id": "acme",
                "outcome": "verified",
                "cause": null,
                "environment": "Production",
                "answered_at": "2026-11-20T02:00:05Z",
                "last_status": 0,
                "detail": null
              }
            ],
            "changes": [
              {
                "subject": "group:pro",
                "before": "finding expired_still_granted, Apple: expired until \
        2026-10-21T02:00:00Z",
                "now": "consistent, Apple: active until 2026-12-10T02:00:00Z",
                "sentence": "Apple shows pro.monthly (transaction 2, bought \
        2026-09-21T02:00:00Z) as paid until 2026-12-10T02:00:00Z, and entitlement e-1 grants \
        pro.monthly until 2026-12-10T02:00:00Z: the two agree."
              }
            ]
          }
        }

        """
}
