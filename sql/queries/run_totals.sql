-- A run in numbers, summed over its batches.
-- $1 text run_id. No locks. Primary key.
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
    coalesce(sum(requests_sent), 0),
    coalesce(sum(requests_production), 0),
    coalesce(sum(requests_sandbox), 0),
    coalesce(sum(requests_retries), 0),
    reconcile.milliseconds(min(oldest_verified_at)),
    count(*) filter (where done_at is null)
from reconcile.batch
where run_id = $1
