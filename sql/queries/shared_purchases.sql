-- The purchases that several users' answers contain, for each user who is granted one.
-- $1 text run_id. No locks. One scan of the run's part of the table, and one sort.
select
    seen.user_id,
    seen.original_transaction_id,
    seen.entitlement_id,
    seen.receipt_id,
    seen.product_id,
    seen.transaction_id,
    seen.ownership,
    seen.apple_state,
    seen.apple_expires_at,
    seen.reason,
    seen.users,
    case when seen.first_user = seen.user_id then seen.last_user else seen.first_user end
        as other_user,
    seen.bundle_id,
    encode(seen.evidence_sha256, 'hex') as evidence_sha256
from (
    select
        s.user_id,
        s.original_transaction_id,
        s.entitlement_id,
        s.receipt_id,
        s.product_id,
        s.transaction_id,
        s.bundle_id,
        s.evidence_sha256,
        s.ownership,
        s.apple_state,
        s.apple_expires_at,
        s.reason,
        count(*) over purchase as users,
        min(s.user_id) over purchase as first_user,
        max(s.user_id) over purchase as last_user
    from reconcile.sighted_purchase as s
    where s.run_id = $1
    window purchase as (partition by s.original_transaction_id)
) as seen
where seen.first_user <> seen.last_user and seen.entitlement_id is not null
order by seen.original_transaction_id, seen.user_id
