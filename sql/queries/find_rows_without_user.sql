-- How many rows without a user a batch has recorded.
-- $1 text run_id, $2 int batch_no. No locks. Index user_result_batch.
select receipts_in_scope as receipts, entitlements_in_scope as entitlements
from reconcile.user_result
where run_no = (select run_no from reconcile.run where run_id = $1)
    and batch_no = $2::int
