-- How many stored entitlements have a finding of some kinds in a run. A row that changed its user
-- meanwhile was judged for each, and counts for each.
-- $1 text run_id, $2 text[] kinds. No locks. Primary key.
select count(distinct (user_id, entitlement_id)) as entitlements
from reconcile.finding
where run_id = $1 and kind = any($2::text[]) and entitlement_id is not null
