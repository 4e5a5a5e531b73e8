-- Renews leases, whatever the clock says, as long as no other worker has leased the batch since and
-- the run is open; returns the batches that are still ours. Marks those that are done.
-- $1 text run_id, $2 int[] batches, $3 bigint[] their leases, $4 boolean[] whether a user is
-- recorded, $5 boolean[] whether it was the last, $6 double precision seconds, $7 bigint the number
-- of the flush.
-- Locks: the rows. Primary key, by the batches' numbers: the join alone reads every batch of the
-- run while the table's statistics are older than the run.
update reconcile.batch as b
set
    leased_until = clock_timestamp() + make_interval(secs => $6::double precision),
    attempts = case when held.has_rows then 0 else b.attempts end,
    flush_no = $7::bigint,
    done_at = case when held.is_done then now() end
from unnest($2::int[], $3::bigint[], $4::boolean[], $5::boolean[])
    as held (batch_no, lease, has_rows, is_done)
where b.run_id = $1
    and b.batch_no = any($2::int[])
    and b.batch_no = held.batch_no
    and b.lease = held.lease
    and b.done_at is null
    and exists (select from reconcile.run as r where r.run_id = $1 and r.state = 'open')
returning b.batch_no
