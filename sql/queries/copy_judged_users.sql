-- Copies the facts behind verdicts, in COPY's binary format.
-- No parameters. Locks: the new rows.
copy reconcile.judged_user (
    digest,
    run_no,
    user_id,
    transactions,
    record
)
from stdin (format binary)
