-- Forgets the workers that are gone, and the one that is about to go.
-- $1 int its worker_no or null. Locks: the rows.
delete from reconcile.worker as w
where w.worker_no = $1::int
    or not exists (
        select from reconcile.live_worker as l where l.worker_no = w.worker_no
    )
