-- The receipts of some users, in the order and collation of the view's user_id. Texts over 32 MiB
-- are cut: they are no receipts (the largest seen is 0.5 MB) and must not use up memory.
-- $1 text[] users. No locks. Index on the view's user_id.
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
where user_id = any($1::text[])
order by user_id, receipt_id
