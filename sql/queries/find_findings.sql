-- The findings of published runs whose id is in a range, each from the newest run that has it.
-- $1 text the first id of the range, $2 text the last. No locks. Primary keys, one lookup per run.
select distinct on (f.finding_id)
    f.finding_id,
    f.kind,
    f.user_id,
    r.run_id
from reconcile.run as r
inner join reconcile.finding as f
    on f.run_id = r.run_id and f.finding_id >= $1 and f.finding_id <= $2
where r.state = 'published'
order by f.finding_id, r.run_no desc
limit 3
