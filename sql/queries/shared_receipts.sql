-- The receipts of apps that were paid for that are stored for several users, for each row that
-- stands on one; of several receipts that a row stands on the first by digest.
-- $1 text run_id. No locks. One pass over the run's part of the table, and two sorts.
select distinct on (seen.user_id, seen.entitlement_id)
    seen.user_id,
    seen.receipt_sha256,
    seen.receipt_id,
    seen.bundle_id,
    seen.entitlement_id,
    seen.product_id,
    seen.stored_expires_at,
    (
        select count(distinct o.user_id)
        from reconcile.sighted_receipt as o
        where o.run_id = $1 and o.receipt_sha256 = seen.receipt_sha256
    ) as users,
    case when seen.first_user = seen.user_id then seen.last_user else seen.first_user end
        as other_user
from (
    select
        s.user_id,
        s.receipt_sha256,
        s.receipt_id,
        s.bundle_id,
        s.entitlement_id,
        s.product_id,
        s.stored_expires_at,
        min(s.user_id) over receipt as first_user,
        max(s.user_id) over receipt as last_user
    from reconcile.sighted_receipt as s
    where s.run_id = $1
    window receipt as (partition by s.receipt_sha256)
) as seen
where seen.first_user <> seen.last_user and seen.entitlement_id is not null
order by seen.user_id, seen.entitlement_id, seen.receipt_sha256
