-- The findings that a run cleared, by kind.
-- $1 text run_id. No locks. Primary keys.
select f.kind, count(*) as findings
from reconcile.cleared_finding as c
inner join reconcile.finding as f
    on f.run_id = c.last_run_id and f.finding_id = c.finding_id
where c.run_id = $1
group by f.kind
order by f.kind
