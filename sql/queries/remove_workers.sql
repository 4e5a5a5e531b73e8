-- Deletes a worker that ends, and workers registered over a day ago that have no session. Newer
-- ones may be reconnecting.
-- $1 int worker_no or null. Locks: the rows.
delete from reconcile.worker as w
where w.worker_no = $1::int
    or (
        w.started_at < now() - interval '1 day'
        and not exists (
            select from reconcile.live_worker as l where l.worker_no = w.worker_no
        )
    )
