-- The purchases that several users' answers contain, for each user who is granted one.
-- $1 text run_id. No locks. Two scans of the run's part of the table; sorts only what is shared.
with this as (
    select run_no from reconcile.run where run_id = $1
),
shared as (
    select
        s.original_transaction_id,
        count(*) as users,
        min(s.user_id) as first_user,
        max(s.user_id) as last_user
    from reconcile.sighted_purchase as s
    where s.run_no = (select run_no from this)
    group by s.original_transaction_id
    having count(*) > 1 and min(s.user_id) <> max(s.user_id)
)

select
    s.user_id,
    s.original_transaction_id,
    s.entitlement_id,
    s.receipt_id,
    s.product_id,
    s.transaction_id,
    s.ownership,
    s.apple_state,
    s.apple_expires_at,
    s.reason,
    shared.users,
    case when shared.first_user = s.user_id then shared.last_user else shared.first_user end
        as other_user,
    s.bundle_id,
    encode(s.evidence_sha256, 'hex') as evidence_sha256
from shared
inner join reconcile.sighted_purchase as s
    on s.run_no = (select run_no from this)
        and s.original_transaction_id = shared.original_transaction_id
where s.entitlement_id is not null
order by s.original_transaction_id, s.user_id
