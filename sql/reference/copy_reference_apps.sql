-- Copies apps into the reference app, in COPY's text format.
-- No parameters. Locks: the new rows.
copy app.apps (bundle_id, last_paid_version, paid_until, premium_product_id) from stdin
