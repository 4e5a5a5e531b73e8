-- Copies events that this run does not report and later runs must not, in COPY's binary format.
-- No parameters. Locks: the new rows.
copy reconcile.remembered_event (
    run_id,
    finding_id,
    event_at,
    kind,
    user_id,
    reference
)
from stdin (format binary)
