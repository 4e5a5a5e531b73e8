-- Makes a worker the publisher of a run and returns the fencing number; no row while another live
-- worker is the publisher.
-- $1 text run_id, $2 int worker_no. Locks: the row. Primary key.
update reconcile.run as r
set publisher_no = $2::int, publication_no = r.publication_no + 1
where r.run_id = $1
    and r.state = 'open'
    and (
        r.publisher_no is null
        or r.publisher_no = $2::int
        or not exists (
            select from reconcile.live_worker as l where l.worker_no = r.publisher_no
        )
    )
returning r.publication_no
