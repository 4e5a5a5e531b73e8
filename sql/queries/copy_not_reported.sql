-- Copies entitlements that are neither consistent nor in a finding, in COPY's binary format.
-- No parameters. Locks: the new rows.
copy reconcile.not_reported (
    run_id,
    user_id,
    entitlement_id,
    bucket,
    kind,
    cause
)
from stdin (format binary)
