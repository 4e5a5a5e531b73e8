-- Takes the outcomes of a batch, in COPY's binary format.
-- No parameters. Locks: the new rows; the unique index refuses a receipt met twice in a run.
copy reconcile.outcome (
    run_id,
    receipt_id,
    user_id,
    bundle_id,
    outcome,
    cause,
    attempts,
    last_status,
    last_http_status,
    detail,
    answered_at,
    entitlements_affected,
    question
)
from stdin (format binary)
