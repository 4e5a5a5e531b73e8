-- An earlier run and its settings, for a replay.
-- $1 text run_id. No locks. Primary key.
select
    state,
    as_of,
    users_per_batch,
    evidence,
    settings ->> 'settle_ms' as settle_ms,
    settings ->> 'tolerance_ms' as tolerance_ms,
    settings ->> 'event_horizon_ms' as event_horizon_ms,
    settings ->> 'max_unverified' as max_unverified
from reconcile.run
where run_id = $1
