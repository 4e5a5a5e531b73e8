-- Makes a worker the publisher of a run and returns the fencing number; no row while another live
-- worker is the publisher, or something is left to do, as after a failover that undid commits.
-- $1 text run_id, $2 int worker_no, $3 bigint the fencing number, drawn at random. Locks: the row.
-- Primary key; indexes batch_not_done and second_look_group.
update reconcile.run as r
set publisher_no = $2::int, publication_no = $3::bigint
where r.run_id = $1
    and r.state = 'open'
    and r.cut_at is not null
    and (
        r.publisher_no is null
        or r.publisher_no = $2::int
        or not exists (
            select from reconcile.live_worker as l where l.worker_no = r.publisher_no
        )
    )
    and not exists (
        select from reconcile.batch as b where b.run_id = $1 and b.done_at is null
    )
    and not exists (
        select from reconcile.second_look as s where s.run_id = $1 and s.batch_no is null
    )
returning r.publication_no
