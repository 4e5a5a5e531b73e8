-- Copies users who are put off to the second look, in COPY's binary format.
-- No parameters. Locks: the new rows.
copy reconcile.second_look (
    run_id,
    put_off_by,
    requests_production,
    requests_sandbox,
    requests_retries,
    user_id,
    refused_receipts,
    refused_by,
    statuses,
    http_statuses
)
from stdin (format binary)
