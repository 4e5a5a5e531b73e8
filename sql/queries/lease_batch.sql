-- Leases the next batch that is free: never leased, its lease over, or ours and not known to us
-- any more. Returns it, or nothing.
-- $1 text run_id, $2 int worker_no, $3 double precision seconds, $4 int[] batches held, $5 boolean
-- whether a batch of the first look is wanted or a group of the second, $6 boolean whether groups
-- that were put off are leased before their time.
-- Locks: the row; rows that others lock are skipped. Index batch_not_done; the primary key, by one
-- value: a join reads every batch of the run while the table's statistics are older than the run.
with next as materialized (
    select b.batch_no
    from reconcile.batch as b
    where b.run_id = $1
        and b.done_at is null
        and (
            b.leased_until is null
            or b.leased_until < clock_timestamp()
            or b.worker_no = $2::int
        )
        and (b.not_before is null or b.not_before <= clock_timestamp() or $6::boolean)
        and b.batch_no <> all($4::int[])
        and (b.look = 1) = $5::boolean
        and exists (select from reconcile.run as r where r.run_id = $1 and r.state = 'open')
    order by b.batch_no
    limit 1
    for update of b skip locked
)
update reconcile.batch as b
set
    worker_no = $2::int,
    lease = b.lease + 1,
    leased_until = clock_timestamp() + make_interval(secs => $3::double precision)
where b.run_id = $1 and b.batch_no = (select batch_no from next)
returning b.batch_no, b.first_user, b.last_user, b.lease, b.attempts, b.look
