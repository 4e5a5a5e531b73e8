-- Forgets the workers that are gone, and the one that is about to go.
-- $1 int its worker_no or null. Locks: the rows.
delete from reconcile.worker as w
where w.worker_no = $1::int
    or not exists (
        select
        from pg_catalog.pg_locks as l
        where l.locktype = 'advisory'
            and l.database
            = (select oid from pg_catalog.pg_database where datname = current_database())
            and l.classid = 7388
            and l.objid = w.worker_no::oid
            and l.objsubid = 2
    )
