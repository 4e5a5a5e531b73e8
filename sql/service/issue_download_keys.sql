-- Stores the download keys of an answer before it is sent: one per asset, made for one product.
-- Rows of other products with the same asset get the expiry, but no key. Stores nothing when the
-- receipt was validated again in the meantime. Returns the number of stored keys.
-- $1 text receipt_id, $2 timestamptz when it was validated, $3 text[] products, $4 text[] assets,
-- $5 text[] download keys, $6 timestamptz[] when they expire, $7 text key_id.
-- Locks: the receipt's row, then its products. Index: primary keys.
with held as materialized (
    select receipt_id
    from app.receipts
    where receipt_id = $1 and validated_at = $2::timestamptz
    for no key update
),

issued as (
    update app.receipt_products as p
    set
        download_key = case when p.product_id = cut.product_id then cut.download_key end,
        key_id = case when p.product_id = cut.product_id then $7 end,
        expires_at = least(cut.expires_at, p.right_ends_at)
    from
        held,
        unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[])
            as cut (product_id, asset_id, download_key, expires_at)
    where p.receipt_id = held.receipt_id
        and p.asset_id = cut.asset_id
        and p.is_unlocked
    returning p.download_key
)

select count(download_key) as issued
from issued
