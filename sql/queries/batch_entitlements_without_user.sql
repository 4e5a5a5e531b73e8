-- The entitlements without a user.
-- No parameters. No locks. Index on the view's user_id.
select
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
from reconcile.stored_entitlements
where user_id is null
order by entitlement_id
