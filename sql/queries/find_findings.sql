-- The findings of published runs whose id begins with some digits, each as the last such run has
-- it.
-- $1 text the first id with these digits, $2 text the last one. No locks. Primary keys, one look a
-- run, the newest first.
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
