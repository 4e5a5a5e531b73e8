-- The download keys of some receipts, expired ones included.
-- $1 text[] receipts. No locks. Index on the view's receipt_id.
select
    receipt_id,
    product_id,
    remote_product_id,
    download_key,
    expires_at
from reconcile.stored_download_keys
where receipt_id = any($1::text[])
    and product_id is not null
    and expires_at is not null
order by receipt_id collate "C", product_id collate "C", remote_product_id collate "C"
