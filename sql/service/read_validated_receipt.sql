-- A stored receipt, to ask Apple about it again. No row when it no longer exists.
-- $1 text receipt_id. No locks. Index: the primary key.
select receipt_data
from app.receipts
where receipt_id = $1
