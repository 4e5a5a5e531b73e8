-- The totals of a run, summed over its users, and the number of its unfinished batches.
-- $1 text run_id. No locks. Index user_result_batch, primary key of the batches.
select
    count(user_id) as users,
    coalesce(sum(receipts_in_scope), 0) as receipts_in_scope,
    coalesce(sum(receipts_verified), 0) as receipts_verified,
    coalesce(sum(receipts_rejected), 0) as receipts_rejected,
    coalesce(sum(receipts_unusable), 0) as receipts_unusable,
    coalesce(sum(receipts_unverified), 0) as receipts_unverified,
    coalesce(sum(entitlements_in_scope), 0) as entitlements_in_scope,
    coalesce(sum(entitlements_consistent), 0) as entitlements_consistent,
    coalesce(sum(entitlements_with_finding), 0) as entitlements_with_finding,
    coalesce(sum(entitlements_settling), 0) as entitlements_settling,
    coalesce(sum(entitlements_unverified), 0) as entitlements_unverified,
    coalesce(sum(entitlements_not_judged), 0) as entitlements_not_judged,
    min(oldest_verified_at) as oldest_verified_at,
    (
        select count(*)
        from reconcile.batch as b
        where b.run_id = $1 and b.done_at is null
    ) as batches_left
from reconcile.user_result
where run_no = (select run_no from reconcile.run where run_id = $1)
