-- Copies download keys into the reference app, in COPY's text format.
-- No parameters. Locks: the new rows.
copy app.receipt_products (
    receipt_id,
    product_id,
    asset_id,
    remote_product_id,
    is_unlocked,
    download_key,
    expires_at,
    key_id
)
from stdin
