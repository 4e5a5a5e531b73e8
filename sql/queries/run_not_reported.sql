-- The entitlements of a run that are neither consistent nor in a finding, in report order (UTF-8
-- bytes, nulls first).
-- $1 text run_id. No locks. Index not_reported_run, then a sort.
select
    user_id,
    entitlement_id,
    bucket,
    kind,
    cause
from reconcile.not_reported
where run_id = $1
order by
    coalesce(user_id, '') collate "C",
    coalesce(entitlement_id, '') collate "C"
