-- The number of findings of a run by kind, severity and lifecycle.
-- $1 text run_id. No locks. Primary key.
select
    kind,
    severity,
    lifecycle,
    count(*) as findings
from reconcile.finding
where run_id = $1
group by kind, severity, lifecycle
order by kind, severity, lifecycle
