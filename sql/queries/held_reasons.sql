-- The reasons why a run is implausible.
-- $1 text run_id. No locks. Primary key.
select guard, flag, reason
from reconcile.held_reason
where run_id = $1
order by reason_no
