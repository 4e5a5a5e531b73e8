-- Takes the lock that says that a worker is alive. Another session that has it can only be one
-- that the same worker lost, and is ended.
-- $1 int worker_no. Locks: one advisory lock until the session ends.
select
    (
        select count(pg_catalog.pg_terminate_backend(l.pid))
        from pg_catalog.pg_locks as l
        where l.locktype = 'advisory'
            and l.database
            = (select oid from pg_catalog.pg_database where datname = current_database())
            and l.classid = 7388
            and l.objid = $1::int::oid
            and l.objsubid = 2
            and l.pid <> pg_catalog.pg_backend_pid()
    ) as ended,
    pg_try_advisory_lock(7388, $1::int)
