-- Gives back what a worker holds and has not done. When it was told to stop, what it began is no
-- sign that the work ends its workers.
-- $1 text run_id, $2 int worker_no, $3 boolean whether it was told to stop.
-- Locks: the rows. Index batch_not_done.
update reconcile.batch
set
    worker_no = null,
    leased_until = null,
    attempts = case when $3::boolean then greatest(attempts - 1, 0) else attempts end
where run_id = $1 and done_at is null and worker_no = $2::int
