-- Stored receipts of an id: one, unless the view is wrong. Of a text over 32 MiB only the beginning
-- is taken.
-- $1 text receipt. No locks. Index on the view's receipt_id, where it has one.
select
    receipt_id,
    user_id,
    bundle_id,
    stored_at,
    case
        when octet_length(receipt_data) <= 33554432 then receipt_data
        else left(receipt_data, 1000)
    end as receipt_data
from reconcile.stored_receipts
where receipt_id = $1
limit 1
