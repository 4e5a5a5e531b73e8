-- The number of stored entitlements with a finding of some kinds in a run. A row that moved to
-- another user during the run was judged for both, and counts for both.
-- $1 text run_id, $2 text[] kinds. No locks. Primary key.
select count(distinct (user_id, entitlement_id)) as entitlements
from reconcile.finding
where run_id = $1 and kind = any($2::text[]) and entitlement_id is not null
