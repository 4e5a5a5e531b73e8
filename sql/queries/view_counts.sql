-- What the views had when a run was cut and when it was closed; null where it was not counted.
-- $1 text run_id. No locks. Primary key.
select
    planned_users,
    planned_receipts,
    planned_entitlements,
    at_close_users,
    at_close_receipts,
    at_close_entitlements
from reconcile.run
where run_id = $1
