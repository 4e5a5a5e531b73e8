-- Takes what asking about receipts came to, in COPY's binary format: the bodies go as they are.
-- No parameters. Locks: the new rows.
copy reconcile.answer (
    run_id,
    question,
    batch_no,
    lease,
    receipt_id,
    outcome,
    cause,
    attempts,
    last_status,
    last_http_status,
    detail,
    answered_at,
    refused_at,
    environment,
    requests_production,
    requests_sandbox,
    requests_retries,
    requests_by_status,
    requests_by_http_status,
    body
)
from stdin (format binary)
