-- Records the receipts without a user as unusable, without reading them into the program. They are
-- never sent to Apple. Leaves out a receipt that is recorded for a user it had. Returns how many.
-- $1 text run_id, $2 text detail or null.
-- Locks: the new rows; waits for others that record the same receipt. Index on the view's user_id,
-- the unique index.
with recorded as (
    insert into reconcile.outcome (
        run_no, receipt_id, bundle_id, outcome, cause, attempts, detail, entitlements_affected
    )
    select r.run_no, s.receipt_id, s.bundle_id, 'unusable', 'stored_row_invalid', 0, $2, 0
    from reconcile.stored_receipts as s
    inner join reconcile.run as r on r.run_id = $1
    where s.user_id is null
    on conflict do nothing
    returning run_no
)

select count(*) as receipts
from recorded
