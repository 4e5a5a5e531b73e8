-- The outcomes of a run, counted from their rows to check the sums of user_result.
-- $1 text run_id. No locks. The unique index.
select outcome, count(*) as receipts
from reconcile.outcome
where run_no = (select run_no from reconcile.run where run_id = $1)
group by outcome
order by outcome
