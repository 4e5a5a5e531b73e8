-- Copies kept answers, in COPY's binary format, so that bodies stay unchanged.
-- No parameters. Locks: the new rows.
copy reconcile.evidence (
    run_id,
    request_sha256,
    receipt_id,
    user_id,
    outcome,
    cause,
    attempts,
    last_status,
    last_http_status,
    detail,
    answered_at,
    server,
    body_sha256,
    body
)
from stdin (format binary)
