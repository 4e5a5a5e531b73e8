-- Copies results of users, in COPY's binary format.
-- No parameters. Locks: the new rows.
copy reconcile.user_result (
    run_no,
    batch_no,
    receipts_in_scope,
    receipts_verified,
    receipts_rejected,
    receipts_unusable,
    receipts_unverified,
    entitlements_in_scope,
    entitlements_consistent,
    entitlements_with_finding,
    entitlements_settling,
    entitlements_unverified,
    entitlements_not_judged,
    oldest_verified_at,
    user_id
)
from stdin (format binary)
