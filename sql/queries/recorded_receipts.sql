-- The receipts among $2 that have an outcome in a run.
-- $1 text run_id, $2 text[] receipt ids. No locks. The unique index.
select outcome.receipt_id
from unnest($2::text[]) as known(receipt_id)
inner join reconcile.outcome as outcome
    on outcome.run_no = (select run_no from reconcile.run where run_id = $1)
    and hashtextextended(outcome.receipt_id, 0) = hashtextextended(known.receipt_id, 0)
    and outcome.receipt_id = known.receipt_id
order by outcome.receipt_id
