-- The subscriptions that several users' answers show, for each user who is granted one.
-- $1 text run_id, $2 text the run whose answers were judged. No locks. One pass over the table,
-- which holds one run, and one sort; the answer of each line comes by the indexes outcome_receipt
-- and answer_question.
select
    seen.user_id,
    seen.original_transaction_id,
    seen.entitlement_id,
    seen.receipt_id,
    seen.product_id,
    seen.transaction_id,
    seen.ownership,
    seen.apple_state,
    reconcile.milliseconds(seen.apple_expires_at) as apple_expires_at,
    seen.reason,
    seen.users,
    case when seen.first_user = seen.user_id then seen.last_user else seen.first_user end
        as other_user,
    answer.bundle_id,
    encode(answer.body_sha256, 'hex') as evidence_sha256
from (
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
        count(*) over chain as users,
        min(s.user_id) over chain as first_user,
        max(s.user_id) over chain as last_user
    from reconcile.sighted_subscription as s
    where s.run_id = $1
    window chain as (partition by s.original_transaction_id)
) as seen
left join lateral (
    select o.bundle_id, coalesce(o.evidence_sha256, sha256(judged.body)) as body_sha256
    from reconcile.outcome as o
    left join lateral (
        select a.body
        from reconcile.answer as a
        where a.run_id = $2 and a.question = o.question and a.body is not null
        -- Another user's identical receipt may have been asked about in another batch.
        order by a.answered_at is distinct from o.answered_at, a.lease, a.batch_no
        limit 1
    ) as judged on true
    where o.run_id = $1
        and md5(o.receipt_id) = md5(seen.receipt_id)
        and o.receipt_id = seen.receipt_id
    limit 1
) as answer on true
where seen.first_user <> seen.last_user and seen.entitlement_id is not null
order by seen.original_transaction_id, seen.user_id
