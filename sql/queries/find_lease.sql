-- Under which lease a batch was done; nothing while it is not.
-- $1 text run_id, $2 int batch_no. No locks. Primary key.
select lease
from reconcile.batch
where run_id = $1 and batch_no = $2::int and done_at is not null
