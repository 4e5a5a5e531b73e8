-- Releases the unfinished batches of a worker. For the batches $3, begun before the worker was told
-- to stop, the attempt does not count.
-- $1 text run_id, $2 int worker_no, $3 int[] batches. Locks: the rows. Index batch_not_done.
update reconcile.batch
set
    worker_no = null,
    leased_until = null,
    attempts = case
        when batch_no = any($3::int[]) then greatest(attempts - 1, 0)
        else attempts
    end
where run_id = $1 and done_at is null and worker_no = $2::int
