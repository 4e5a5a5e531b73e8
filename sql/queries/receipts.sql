-- Stored and kept receipts.

-- name: find_stored_receipt
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

-- name: nearest_stored_receipts
-- The stored receipts whose ids are next before and after a text, in byte order.
-- $1 text. No locks. Reads one column of the view completely.
select
    max(receipt_id collate "C") filter (where receipt_id collate "C" < $1) as before,
    min(receipt_id collate "C") filter (where receipt_id collate "C" > $1) as behind
from reconcile.stored_receipts

-- name: keep_receipts
-- Stores receipts that Apple signed in its answers, if newer than those kept for the user, app and
-- environment.
-- $1 text run_id; {given}, {columns} and {values} are those of KeptReceipt, each user, bundle and
-- environment once. Locks: the rows. Index kept_receipt_app.
insert into reconcile.kept_receipt as k (run_id, {columns})
select $1, {values}
from {given}
on conflict (md5(user_id), md5(bundle_id), environment) do update
set
    made_at = excluded.made_at,
    user_id = excluded.user_id,
    bundle_id = excluded.bundle_id,
    receipt_id = excluded.receipt_id,
    run_id = excluded.run_id,
    receipt = excluded.receipt
where k.made_at < excluded.made_at

-- name: kept_receipts
-- The receipts that Apple signed in its answers and that are kept for a user.
-- $1 text user. No locks. Index kept_receipt_app.
select
    user_id,
    bundle_id,
    environment,
    receipt_id,
    made_at,
    receipt
from reconcile.kept_receipt
where md5(user_id) = md5($1) and user_id = $1

-- name: export_receipts, long
-- All kept receipts or those of one user, ordered as ids are, for the team to store.
-- $1 text user or null. No locks. Without a user it reads the whole table.
select
    user_id,
    bundle_id,
    environment,
    receipt_id,
    made_at,
    receipt
from reconcile.kept_receipt
where $1::text is null or user_id = $1
order by user_id collate "C", bundle_id collate "C", environment
