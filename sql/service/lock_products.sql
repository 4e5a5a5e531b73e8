-- Takes back what a receipt unlocked, before what it unlocks now is stored. Keys that still live
-- keep their rows, so that the nightly run sees them.
-- $1 text receipt_id. Locks: the rows; the row of the receipt is held already.
update app.receipt_products
set is_unlocked = false
where receipt_id = $1 and is_unlocked
