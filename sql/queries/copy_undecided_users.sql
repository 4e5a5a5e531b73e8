-- Copies users who could not be judged completely, in COPY's text format.
-- No parameters. Locks: the new rows.
copy reconcile.undecided_user (
    run_id,
    user_id,
    lacks_evidence,
    may_be_granted
)
from stdin
