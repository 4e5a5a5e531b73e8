-- The receipts of a range of users, in the order and collation of the view's user_id. Texts over 32
-- MiB are cut: they are no receipts (the largest seen is 0.5 MB) and must not use up memory.
-- $1 text first user, $2 text last user, $3 text the previous portion's last user or null,
-- $4 text[] users to leave out. No locks. Index on the view's user_id.
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
