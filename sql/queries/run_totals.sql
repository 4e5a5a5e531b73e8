-- A run in numbers, summed over its users; how many of its batches are not done; and how many
-- receipts have an outcome.
-- $1 text run_id. No locks. Index user_result_batch, primary key of the batches.
select
    coalesce(sum(receipts_in_scope), 0),
    coalesce(sum(receipts_verified), 0),
    coalesce(sum(receipts_rejected), 0),
    coalesce(sum(receipts_unusable), 0),
    coalesce(sum(receipts_unverified), 0),
    coalesce(sum(entitlements_in_scope), 0),
    coalesce(sum(entitlements_consistent), 0),
    coalesce(sum(entitlements_with_finding), 0),
    coalesce(sum(entitlements_settling), 0),
    coalesce(sum(entitlements_unverified), 0),
    coalesce(sum(entitlements_not_judged), 0),
    coalesce(sum(requests_production), 0),
    coalesce(sum(requests_sandbox), 0),
    coalesce(sum(requests_retries), 0),
    min(oldest_verified_at),
    (
        select count(*)
        from reconcile.batch as b
        where b.run_id = $1 and b.done_at is null
    ) as batches_left
from reconcile.user_result
where run_id = $1
