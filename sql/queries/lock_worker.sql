-- Registers a worker, unless it is, and takes the lock that marks it as alive. Another session that
-- holds the lock is one that the same worker has lost: it is terminated. The number 0 is in no
-- chain: where a failover undid the row, the next flush finds that commits were lost.
-- $1 int worker_no, $2 text run_id, $3 text name. Locks: one advisory lock until the session ends;
-- the new row.
with restored as (
    insert into reconcile.worker (worker_no, run_id, name, flush_no)
    values ($1::int, $2, $3, 0)
    on conflict (worker_no) do nothing
)
select
    (
        select count(pg_catalog.pg_terminate_backend(l.pid))
        from reconcile.live_worker as l
        where l.worker_no = $1::int and l.pid <> pg_catalog.pg_backend_pid()
    ) as ended,
    pg_try_advisory_lock(7388, $1::int)
