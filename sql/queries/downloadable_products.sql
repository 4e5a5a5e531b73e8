-- The products with a download key for any receipt, or that share another product's key.
-- No parameters. No locks. Reads the whole view.
select distinct product_id
from reconcile.stored_download_keys
where product_id is not null
