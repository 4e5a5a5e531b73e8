-- Takes the lock that says that a worker is alive. Another session that has it can only be one
-- that the same worker lost, and is ended.
-- $1 int worker_no. Locks: one advisory lock until the session ends.
select
    (
        select count(pg_catalog.pg_terminate_backend(l.pid))
        from reconcile.live_worker as l
        where l.worker_no = $1::int and l.pid <> pg_catalog.pg_backend_pid()
    ) as ended,
    pg_try_advisory_lock(7388, $1::int)
