-- Stores what a receipt unlocks: one row per product and asset.
-- $1 text receipt_id, $2 bigint the newest published run when Apple was asked, $3 text[] products,
-- $4 timestamptz[] ends of their rights or null, $5 text[] per product the references by which
-- refunds are found in the ledger, each an array in text form.
-- Locks: the rows. Index: primary keys.
insert into app.receipt_products (
    receipt_id, product_id, asset_id, remote_product_id, is_unlocked, right_ends_at, run_no,
    refund_references
)
select
    $1,
    unlocked.product_id,
    a.asset_id,
    a.remote_product_id,
    true,
    unlocked.ends_at,
    $2::bigint,
    unlocked.refund_references::text[]
from
    unnest($3::text[], $4::timestamptz[], $5::text[])
        as unlocked (product_id, ends_at, refund_references)
inner join app.product_assets as link on link.product_id = unlocked.product_id
inner join app.assets as a on a.asset_id = link.asset_id
order by unlocked.product_id, a.asset_id
on conflict (receipt_id, product_id, asset_id) do update
set
    remote_product_id = excluded.remote_product_id,
    is_unlocked = true,
    right_ends_at = excluded.right_ends_at,
    run_no = excluded.run_no,
    refund_references = excluded.refund_references
