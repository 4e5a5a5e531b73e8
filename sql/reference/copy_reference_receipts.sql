-- Copies receipts into the reference app, in COPY's text format.
-- No parameters. Locks: the new rows.
copy app.receipts (receipt_id, user_id, bundle_id, receipt_data, stored_at) from stdin
