-- The receipts that name no user. They are never sent, so their data stays where it is.
-- No parameters, no locks. Index on the view's user_id.
select
    receipt_id,
    user_id,
    bundle_id,
    stored_at,
    null as receipt_data
from reconcile.stored_receipts
where user_id is null
order by receipt_id
