-- Empties the reference service, before it is filled anew in the same transaction. Not `truncate`:
-- that refuses a table that something refers to, and would empty what refers to it as well.
-- No parameters. Locks: the rows, until the end of the transaction.
with keys as (
    delete from app.receipt_products
),

links as (
    delete from app.product_assets
),

assets as (
    delete from app.assets
),

receipts as (
    delete from app.receipts
),

entitlements as (
    delete from app.entitlements
),

products as (
    delete from app.products
)

delete from app.apps
