-- Marks a receipt's products as not unlocked, before those it unlocks are stored again. Rows with
-- valid keys stay, so that the nightly run sees them.
-- $1 text receipt_id. Locks: the rows; the receipt's row is locked already.
update app.receipt_products
set is_unlocked = false
where receipt_id = $1 and is_unlocked
