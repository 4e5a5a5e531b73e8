-- Empties the reference service, before it is filled anew in the same transaction.
-- No parameters. Locks: the four tables, until the end of the transaction.
truncate app.receipts, app.entitlements, app.products, app.apps
