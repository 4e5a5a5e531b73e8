-- Deletes all rows of the reference app, before it is filled again in the same transaction. Not
-- `truncate`, which fails on a referenced table or, with cascade, empties the referencing ones.
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
