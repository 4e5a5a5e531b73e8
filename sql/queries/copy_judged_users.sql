-- Copies the facts behind verdicts, in COPY's binary format.
-- No parameters. Locks: the new rows.
copy reconcile.judged_user (
    digest,
    run_id,
    user_id,
    transactions,
    transaction_digests,
    record
)
from stdin (format binary)
