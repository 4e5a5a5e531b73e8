-- How many stored entitlements have a finding of some kinds in a run.
-- $1 text run_id, $2 text[] kinds. No locks. Primary key.
select count(distinct entitlement_id)
from reconcile.finding
where run_id = $1 and kind = any($2::text[]) and entitlement_id <> ''
