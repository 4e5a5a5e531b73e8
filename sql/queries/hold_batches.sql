-- Renews leases, even expired ones, unless another worker has taken over the batch or the run has
-- ended. Marks batches that are done. Returns the batches whose lease is still valid.
-- $1 text run_id, $2 int[] batches, $3 bigint[] their leases, $4 boolean[] whether a user is
-- recorded, $5 boolean[] whether the batch is done, $6 double precision seconds, $7 bigint the
-- number of the flush.
-- Locks: the rows. Primary key, by batch numbers: with outdated statistics a join alone reads every
-- batch of the run.
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
