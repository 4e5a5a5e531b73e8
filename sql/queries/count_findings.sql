-- The findings of a run by kind, severity and whether they are accepted, counted from their rows.
-- $1 text run_id. No locks. Primary key.
select kind, severity, lifecycle = 'accepted' as is_accepted, count(*) as findings
from reconcile.finding
where run_id = $1
group by kind, severity, is_accepted
order by kind, severity, is_accepted
