-- The plan of a run: its batches, and what the views had when it was cut.
-- $1 text run_id. No locks. Primary keys.
select
    (select count(*) from reconcile.batch as b where b.run_id = $1) as batches,
    coalesce(planned_users, 0) as users,
    coalesce(planned_receipts, 0) as receipts
from reconcile.run
where run_id = $1
