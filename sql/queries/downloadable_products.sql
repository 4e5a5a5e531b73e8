-- The products that some receipt has a download key for, or shares the key of another product.
-- No parameters, no locks. Reads the whole view.
select distinct product_id
from reconcile.stored_download_keys
where product_id is not null
