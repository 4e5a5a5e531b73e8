-- The stored receipt that stands for all receipts with the same signed content: the one that Apple
-- wrote, else, where a variant may, the first variant. No row when there is none.
-- $1 bytea SHA-256 of the content, $2 boolean whether a variant may stand for it.
-- No locks. Index on the content.
select receipt_sha256
from app.receipts
where content_sha256 = $1::bytea
    and validated_at is not null
    and ($2::boolean or not is_variant)
order by is_variant, stored_at, receipt_id collate "C"
limit 1
