-- Locks the row of a receipt, so that users are added one after the other.
-- $1 text receipt_id. Locks: the row. Index: the primary key.
select receipt_id
from app.receipts
where receipt_id = $1
for no key update
