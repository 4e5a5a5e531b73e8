-- Copies purchases in users' answers, in COPY's binary format.
-- No parameters. Locks: the new rows.
copy reconcile.sighted_purchase (
    run_no,
    user_id,
    original_transaction_id,
    entitlement_id,
    receipt_id,
    product_id,
    transaction_id,
    bundle_id,
    evidence_sha256,
    ownership,
    apple_state,
    apple_expires_at,
    reason
)
from stdin (format binary)
