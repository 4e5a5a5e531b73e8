-- Lets the planner know what was filled in.
-- No parameters. Locks: none that a reader or writer meets.
analyze app.receipts, app.entitlements, app.receipt_products
