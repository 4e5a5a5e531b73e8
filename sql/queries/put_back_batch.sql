-- Releases a batch that could not be read, to be leased again after a wait. It does not count as an
-- attempt. No effect when its lease was taken over.
-- $1 text run_id, $2 int batch_no, $3 bigint its lease, $4 double precision seconds. Locks: the
-- row. Primary key.
update reconcile.batch
set
    not_before = clock_timestamp() + make_interval(secs => $4::double precision),
    worker_no = null,
    leased_until = null,
    -- An attempt at a group begins before it is read.
    attempts = case when look > 1 then greatest(attempts - 1, 0) else attempts end
where run_id = $1
    and batch_no = $2::int
    and lease = $3::bigint
    and done_at is null
