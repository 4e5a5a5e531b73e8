-- How far a run is: its state, and how many of its batches others have still to do.
-- $1 text run_id, $2 int our own worker_no. No locks. Index batch_not_done.
select
    r.state,
    (
        select count(*)
        from reconcile.batch as b
        where b.run_id = $1
            and b.done_at is null
            and (b.worker_no is null or b.worker_no <> $2::int)
    ) as batches_elsewhere
from reconcile.run as r
where r.run_id = $1
