-- Gives back what a worker holds and has not done.
-- $1 text run_id, $2 int worker_no. Locks: the rows. Index batch_not_done.
update reconcile.batch
set worker_no = null, leased_until = null
where run_id = $1 and done_at is null and worker_no = $2::int
