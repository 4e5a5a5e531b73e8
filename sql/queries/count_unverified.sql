-- The receipts of a run that could not be checked, by cause.
-- $1 text run_id. No locks. The unique index.
select cause, count(*) as receipts
from reconcile.outcome
where run_no = (select run_no from reconcile.run where run_id = $1) and outcome = 'unverified'
group by cause
order by cause
