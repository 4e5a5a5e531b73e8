-- Forgets the worker that is about to go, and those that are long gone. One that is between two
-- sessions looks as if it were gone, so others are given a day.
-- $1 int its worker_no or null. Locks: the rows.
delete from reconcile.worker as w
where w.worker_no = $1::int
    or (
        w.started_at < now() - interval '1 day'
        and not exists (
            select from reconcile.live_worker as l where l.worker_no = w.worker_no
        )
    )
