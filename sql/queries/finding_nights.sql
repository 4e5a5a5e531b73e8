-- What a run and the published runs over everything before it said of a finding, oldest first.
-- $1 text finding_id, $2 bigint the run's run_no. No locks. Primary keys, one lookup per run.
select
    r.run_id,
    r.as_of,
    f.lifecycle
from reconcile.run as r
inner join reconcile.finding as f on f.run_id = r.run_id and f.finding_id = $1
where r.run_no <= $2::bigint and r.makes_history and r.state = 'published'
order by r.run_no
