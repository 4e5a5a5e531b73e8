-- The findings of a run by kind and severity, counted from their rows.
-- $1 text run_id. No locks. Primary key.
select kind, severity, count(*)
from reconcile.finding
where run_id = $1
group by kind, severity
order by kind, severity
