-- Copies users who are put off to the second look, in COPY's binary format.
-- No parameters. Locks: the new rows.
copy reconcile.second_look (
    run_id,
    put_off_by,
    user_id,
    refused_receipts,
    refused_by
)
from stdin (format binary)
