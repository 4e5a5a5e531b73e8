-- Updates the planner statistics of the filled tables.
-- No parameters. Locks: none that block readers or writers.
analyze app.receipts, app.entitlements, app.receipt_products
