-- Copies receipts by which users paid for an app, in COPY's binary format.
-- No parameters. Locks: the new rows.
copy reconcile.sighted_receipt (
    run_id,
    user_id,
    receipt_sha256,
    receipt_id,
    bundle_id,
    entitlement_id,
    product_id,
    stored_expires_at
)
from stdin (format binary)
