-- Marks a worker as leaving, if another live worker of the run stays; returns it, or no row. A
-- lock is held meanwhile (lock_leaving), so that of several workers that leave one stays.
-- $1 text run_id, $2 int worker_no. Locks: the row. Primary key; reads the workers, a few rows.
update reconcile.worker as own
set is_leaving = true
where own.worker_no = $2::int
    and exists (
        select
        from reconcile.worker as w
        inner join reconcile.live_worker as l on l.worker_no = w.worker_no
        where w.run_id = $1
            and w.worker_no <> $2::int
            and not w.is_leaving
    )
returning own.worker_no
