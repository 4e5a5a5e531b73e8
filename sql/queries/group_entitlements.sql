-- The entitlements of some users, in the order and collation of the view's user_id.
-- $1 text[] users. No locks. Index on the view's user_id.
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
where user_id = any($1::text[])
order by user_id, entitlement_id
