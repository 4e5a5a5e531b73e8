-- The stored receipts whose ids are next before and after a text, in byte order.
-- $1 text. No locks. Reads one column of the view completely.
select
    max(receipt_id collate "C") filter (where receipt_id collate "C" < $1) as before,
    min(receipt_id collate "C") filter (where receipt_id collate "C" > $1) as behind
from reconcile.stored_receipts
