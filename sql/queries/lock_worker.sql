-- Takes the lock that marks a worker as alive. Another session that holds it is one that the same
-- worker has lost: it is terminated.
-- $1 int worker_no. Locks: one advisory lock until the session ends.
select
    (
        select count(pg_catalog.pg_terminate_backend(l.pid))
        from reconcile.live_worker as l
        where l.worker_no = $1::int and l.pid <> pg_catalog.pg_backend_pid()
    ) as ended,
    pg_try_advisory_lock(7388, $1::int)
