-- A run of an earlier night, for a replay.
-- $1 text run_id. No locks. Primary key.
select
    state,
    reconcile.milliseconds(as_of) as as_of,
    scope,
    users_per_batch,
    evidence,
    replay_of
from reconcile.run
where run_id = $1
