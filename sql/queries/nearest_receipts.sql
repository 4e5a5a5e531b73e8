-- The receipts of a run whose ids are next before and after a text, in byte order.
-- $1 text, $2 text run_id. No locks. Reads the run's outcomes.
select
    max(o.receipt_id collate "C") filter (where o.receipt_id collate "C" < $1) as before,
    min(o.receipt_id collate "C") filter (where o.receipt_id collate "C" > $1) as behind
from reconcile.outcome as o
where o.run_no = (select run_no from reconcile.run where run_id = $2)
