-- Deletes products that a receipt no longer unlocks and that have no valid key.
-- $1 text receipt_id, $2 timestamptz now. Locks: the rows. Index: the primary key.
delete from app.receipt_products
where receipt_id = $1
    and not is_unlocked
    and (download_key is null or expires_at <= $2::timestamptz)
