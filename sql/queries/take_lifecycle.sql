-- Copies the lifecycle of findings from the replayed run to the replay.
-- $1 text run_id. Locks: the rows. Primary keys.
update reconcile.finding as f
set lifecycle = former.lifecycle, first_seen = former.first_seen
from reconcile.run as r
inner join reconcile.finding as former on former.run_id = r.replay_of
where r.run_id = $1
    and f.run_id = $1
    and former.finding_id = f.finding_id
    and (f.lifecycle, f.first_seen) is distinct from (former.lifecycle, former.first_seen)
