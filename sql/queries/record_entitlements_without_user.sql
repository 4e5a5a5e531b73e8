-- Records the entitlements without a user as not judged, without reading them into the program.
-- Returns how many.
-- $1 text run_id. Locks: the new rows. Index on the view's user_id.
with recorded as (
    insert into reconcile.not_reported (run_id, entitlement_id, bucket, cause)
    select $1, entitlement_id, 'not_judged', 'invalid_row'
    from reconcile.stored_entitlements
    where user_id is null
    returning run_id
)

select count(*) as entitlements
from recorded
