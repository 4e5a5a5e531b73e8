-- The entitlements of a range of users, in the order and collation of the view's user_id.
-- $1 text first user, $2 text last user. No locks. Index on the view's user_id.
select
    entitlement_id,
    user_id,
    product_id,
    original_transaction_id,
    is_active,
    reconcile.milliseconds(expires_at) as expires_at,
    auto_renew,
    ownership,
    source,
    reconcile.milliseconds(updated_at) as updated_at
from reconcile.stored_entitlements
where user_id between $1 and $2
order by user_id, entitlement_id
