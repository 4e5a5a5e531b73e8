-- The stored receipts whose ids stand before and behind some text, in the order of their bytes.
-- $1 text. No locks. Reads one column of the view whole.
select
    max(receipt_id collate "C") filter (where receipt_id collate "C" < $1) as before,
    min(receipt_id collate "C") filter (where receipt_id collate "C" > $1) as behind
from reconcile.stored_receipts
