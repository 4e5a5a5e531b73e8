-- Frees the batches of workers whose session has ended; returns their number.
-- $1 text run_id, $2 int this worker's worker_no. Locks: the rows. Index batch_not_done.
with freed as (
    update reconcile.batch as b
    set worker_no = null, leased_until = null
    where b.run_id = $1
        and b.done_at is null
        and b.worker_no is not null
        and b.worker_no <> $2::int
        and not exists (
            select from reconcile.live_worker as l where l.worker_no = b.worker_no
        )
    returning b.batch_no
)
select count(*) as batches from freed
