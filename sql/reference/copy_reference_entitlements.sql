-- Copies entitlements into the reference app, in COPY's text format.
-- No parameters. Locks: the new rows.
copy app.entitlements (
    entitlement_id,
    user_id,
    product_id,
    original_transaction_id,
    is_active,
    expires_at,
    auto_renew,
    ownership,
    source,
    updated_at
)
from stdin
