-- Copies assets into the reference app, in COPY's text format.
-- No parameters. Locks: the new rows.
copy app.assets (asset_id, remote_product_id, product_key) from stdin
