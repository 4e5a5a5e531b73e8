-- The last published run that reported a finding.
-- $1 text finding_id. No locks. Primary keys, one look a run, the newest first.
select f.kind, f.user_id, r.run_id
from reconcile.run as r
inner join reconcile.finding as f on f.run_id = r.run_id and f.finding_id = $1
where r.state = 'published'
order by r.run_no desc
limit 1
