-- Which of some receipts have an outcome in a run already.
-- $1 text run_id, $2 text[] receipt ids. No locks. The unique index.
select receipt_id
from reconcile.outcome
where run_id = $1 and receipt_id = any($2::text[])
order by receipt_id
