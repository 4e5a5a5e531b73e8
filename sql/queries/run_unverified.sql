-- The receipts that could not be checked, and the stored rows with nulls, by user, receipt and
-- bundle as UTF-8 bytes.
-- $1 text run_id. No locks. Reads the run's part of the unique index, then sorts.
select
    receipt_id,
    user_id,
    bundle_id,
    cause,
    attempts,
    last_status,
    last_http_status,
    detail,
    entitlements_affected
from reconcile.outcome
where run_no = (select run_no from reconcile.run where run_id = $1)
    and (
        outcome = 'unverified'
        or (outcome = 'unusable' and cause = 'stored_row_invalid')
    )
order by
    coalesce(user_id, '') collate "C",
    coalesce(receipt_id, '') collate "C",
    coalesce(bundle_id, '') collate "C",
    cause collate "C"
