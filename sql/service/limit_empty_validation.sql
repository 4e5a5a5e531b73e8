-- Shortens a validation that unlocks no asset: the user may be about to buy, or the team to link
-- the product to an asset.
-- $1 text receipt_id, $2 timestamptz the new end. Locks: the row. Index: primary keys.
update app.receipts as r
set valid_until = $2::timestamptz
where r.receipt_id = $1
    and r.valid_until > $2::timestamptz
    and not exists (
        select
        from app.receipt_products as p
        where p.receipt_id = r.receipt_id and p.is_unlocked
    )
