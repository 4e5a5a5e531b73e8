-- The receipts of a range of users, in the order and collation of the view's user_id.
-- Of a text over 32 MiB only the beginning is taken, which is no receipt: the largest known is half
-- a megabyte, and what a customer sent must not decide how much memory a run needs.
-- $1 text first user, $2 text last user, $3 text the user after whom to begin or null, $4 text[]
-- users to leave out. No locks. Index on the view's user_id.
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
where user_id between $1 and $2
    and ($3::text is null or user_id > $3)
    and user_id <> all($4::text[])
order by user_id, receipt_id
