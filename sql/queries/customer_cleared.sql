-- The published runs over everything that cleared some findings.
-- $1 text[] finding ids. No locks. Primary key of the cleared findings.
select
    c.finding_id,
    c.run_id,
    r.as_of
from reconcile.run as r
inner join reconcile.cleared_finding as c on c.run_id = r.run_id
where r.makes_history and r.state = 'published' and c.finding_id = any($1::text[])
order by r.run_no
