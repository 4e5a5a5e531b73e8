-- The state of a run, and how many unfinished batches are not held by this worker: of the first
-- look and in all.
-- $1 text run_id, $2 int this worker's worker_no. No locks. Index batch_not_done.
select
    r.state,
    left_over.first_look,
    left_over.batches
from reconcile.run as r
cross join lateral (
    select
        count(*) filter (where b.look = 1) as first_look,
        count(*) as batches
    from reconcile.batch as b
    where b.run_id = $1
        and b.done_at is null
        and (b.worker_no is null or b.worker_no <> $2::int)
) as left_over
where r.run_id = $1
