-- Copies products in answers that are not in the catalogue, in COPY's text format.
-- No parameters. Locks: the new rows.
copy reconcile.sighted_product (
    run_id,
    product_id,
    users,
    entitlements
)
from stdin
