-- Renews leases, whatever the clock says, as long as nobody else has leased the batch since;
-- returns the batches that are still ours.
-- $1 text run_id, $2 int[] batches, $3 bigint[] their leases, $4 boolean[] whether an answer was
-- recorded, $5 double precision seconds. Locks: the rows. Primary key, by the batches' numbers: the
-- join alone reads every batch of the run while the table's statistics are older than the run.
update reconcile.batch as b
set
    leased_until = clock_timestamp() + make_interval(secs => $5::double precision),
    attempts = case when held.has_answer then 0 else b.attempts end
from unnest($2::int[], $3::bigint[], $4::boolean[]) as held (batch_no, lease, has_answer)
where b.run_id = $1
    and b.batch_no = any($2::int[])
    and b.batch_no = held.batch_no
    and b.lease = held.lease
    and b.done_at is null
returning b.batch_no
