-- Puts off a group of the second look: releases it, to be leased again after a wait. No row when
-- its lease was taken over.
-- $1 text run_id, $2 int batch_no, $3 bigint its lease, $4 double precision seconds. Locks: the
-- row. Primary key.
update reconcile.batch
set
    look = look + 1,
    not_before = clock_timestamp() + make_interval(secs => $4::double precision),
    worker_no = null,
    leased_until = null,
    attempts = 0
where run_id = $1
    and batch_no = $2::int
    and lease = $3::bigint
    and look < 3
    and done_at is null
returning batch_no
