-- Copies the assets of products into the reference app, in COPY's text format.
-- No parameters. Locks: the new rows.
copy app.product_assets (product_id, asset_id, tier) from stdin
