-- Copies numbers of requests to Apple, in COPY's binary format.
-- No parameters. Locks: the new rows.
copy reconcile.request_count (
    run_id,
    requests,
    retries,
    http_status,
    status,
    server
)
from stdin (format binary)
