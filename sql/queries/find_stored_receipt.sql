-- The stored receipt with an id; the first when the view is wrong and has several. Texts over 32
-- MiB are cut.
-- $1 text receipt. No locks. Index on the view's receipt_id, if there is one.
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
