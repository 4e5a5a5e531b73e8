-- The receipts of a range of users without their data, in the order of batch_receipts.
-- $1 text first user, $2 text last user. No locks. Index on the view's user_id.
select
    receipt_id,
    user_id,
    bundle_id,
    reconcile.milliseconds(stored_at) as stored_at,
    '' as receipt_data
from reconcile.stored_receipts
where user_id between $1 and $2
order by user_id, receipt_id
