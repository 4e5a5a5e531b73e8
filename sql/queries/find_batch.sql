-- One batch of a run.
-- $1 text run_id, $2 int batch_no. No locks. Primary key.
select first_user, last_user
from reconcile.batch
where run_id = $1 and batch_no = $2::int
