-- The receipts without a user. They are never sent to Apple, so their data is not read.
-- No parameters. No locks. Index on the view's user_id.
select
    receipt_id,
    user_id,
    bundle_id,
    stored_at,
    null as receipt_data
from reconcile.stored_receipts
where user_id is null
order by receipt_id
