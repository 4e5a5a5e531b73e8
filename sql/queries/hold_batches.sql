-- Adds a flush to the chain of its worker, renews leases, even expired ones, unless another worker
-- has taken over the batch or the run has ended, marks batches that are done, and releases those of
-- which users are deferred, to be leased again when all others are done. Returns the
-- number of the worker's last flush before, or null when the database has no such worker; and the
-- batches whose lease is still valid; and the number of the run. Does nothing unless the last flush
-- is $9: otherwise commits were lost, or this flush has already taken effect ($7), by a COMMIT
-- whose response was lost.
-- $1 text run_id, $2 int[] batches, $3 bigint[] their leases, $4 boolean[] whether a user is
-- recorded, $5 boolean[] whether the batch is done, $6 double precision seconds, $7 bigint the
-- number of the flush, $8 int worker_no, $9 bigint the number of the flush before,
-- $10 boolean[] whether the batch is released with users deferred.
-- Locks: the worker's row, which waits for an earlier attempt whose session has not ended; the
-- rows. Primary keys; by batch numbers: with outdated statistics a join alone reads every batch of
-- the run.
with link as materialized (
    select w.flush_no
    from reconcile.worker as w
    where w.worker_no = $8::int
    for update
),
linked as (
    update reconcile.worker as w
    set flush_no = $7::bigint
    from link
    where w.worker_no = $8::int and link.flush_no = $9::bigint
),
renewed as (
    update reconcile.batch as b
    set
        leased_until = case
            when not held.is_deferred
            then clock_timestamp() + make_interval(secs => $6::double precision)
        end,
        worker_no = case when not held.is_deferred then b.worker_no end,
        is_deferred = b.is_deferred or held.is_deferred,
        attempts = case when held.has_rows then 0 else b.attempts end,
        done_at = case when held.is_done then now() end
    from unnest($2::int[], $3::bigint[], $4::boolean[], $5::boolean[], $10::boolean[])
        as held (batch_no, lease, has_rows, is_done, is_deferred)
    cross join link
    where b.run_id = $1
        and b.batch_no = any($2::int[])
        and b.batch_no = held.batch_no
        and b.lease = held.lease
        and b.done_at is null
        and link.flush_no = $9::bigint
        and exists (select from reconcile.run as r where r.run_id = $1 and r.state = 'open')
    returning b.batch_no
)
select
    (select link.flush_no from link) as flush_no,
    array(select renewed.batch_no from renewed) as batches,
    (select r.run_no from reconcile.run as r where r.run_id = $1) as run_no
