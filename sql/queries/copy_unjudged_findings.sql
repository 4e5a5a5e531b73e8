-- Copies open findings that could not be judged, in COPY's binary format.
-- No parameters. Locks: the new rows.
copy reconcile.unjudged_finding (
    run_id,
    finding_id
)
from stdin (format binary)
