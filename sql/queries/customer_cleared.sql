-- Which findings about a user were seen to be no longer true, and by which run.
-- $1 text[] findings. No locks. Reads what runs cleared by their primary key.
select
    c.finding_id,
    c.run_id,
    r.as_of
from reconcile.run as r
inner join reconcile.cleared_finding as c on c.run_id = r.run_id
where r.state = 'published' and c.finding_id = any($1::text[])
order by r.run_no
