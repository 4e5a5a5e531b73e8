-- Who erased a user of a run and when, and what it had of the user, in the order of erasing.
-- $1 text run_id, $2 bigint only the first so many, or null. No locks. Index erasure_run.
select erased_by, erased_at, receipts, entitlements, cleared, unverified, not_reported
from reconcile.erasure
where run_id = $1
order by erasure_no
limit $2::bigint
