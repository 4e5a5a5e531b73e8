-- Copies outcomes of receipts, in COPY's binary format.
-- No parameters. Locks: the new rows. The unique index rejects a repeated receipt in a run.
copy reconcile.outcome (
    run_no,
    receipt_id,
    user_id,
    bundle_id,
    outcome,
    cause,
    attempts,
    last_status,
    last_http_status,
    detail,
    server,
    answered_at,
    entitlements_affected
)
from stdin (format binary)
