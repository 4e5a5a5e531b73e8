-- The entitlements of a range of users, in the order and collation of the view's user_id.
-- $1 text first user, $2 text last user, $3 text the previous portion's last user or null,
-- $4 text[] users to leave out. No locks. Index on the view's user_id.
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
where user_id between $1 and $2
    and ($3::text is null or user_id > $3)
    and user_id <> all($4::text[])
order by user_id, entitlement_id
