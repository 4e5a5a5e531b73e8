-- Receipts of paid apps that are stored for several users, one row per entitlement based on one; of
-- several receipts for an entitlement, the first by digest.
-- $1 text run_id. No locks. Two scans of the run's part of the table, and a sort of the shared
-- rows.
select distinct on (s.user_id, s.entitlement_id)
    s.user_id,
    s.receipt_sha256,
    s.receipt_id,
    s.bundle_id,
    s.entitlement_id,
    s.product_id,
    s.stored_expires_at,
    shared.users,
    case when shared.first_user = s.user_id then shared.last_user else shared.first_user end
        as other_user
from (
    select
        receipt_sha256,
        count(distinct user_id) as users,
        min(user_id) as first_user,
        max(user_id) as last_user
    from reconcile.sighted_receipt
    where run_id = $1
    group by receipt_sha256
    having min(user_id) <> max(user_id)
) as shared
inner join reconcile.sighted_receipt as s
    on s.run_id = $1 and s.receipt_sha256 = shared.receipt_sha256
where s.entitlement_id is not null
order by s.user_id, s.entitlement_id, s.receipt_sha256
