-- Leases the next free batch: never leased, lease expired, or leased to this worker without its
-- knowledge (a lost response). One with deferred users only when all others are done. Returns it,
-- or no row.
-- $1 text run_id, $2 int worker_no, $3 double precision seconds, $4 int[] batches held, $5 boolean
-- whether of the first pass or a group of the second, $6 boolean whether to include groups whose
-- wait is not over, $7 bigint the fencing number of the lease, drawn at random.
-- Locks: the row; skips locked rows. Index batch_not_done; the primary key by one value: with
-- outdated statistics a join reads every batch of the run.
with next as materialized (
    select b.batch_no, b.lease is null as is_first_lease
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
        and (
            not b.is_deferred
            or not exists (
                select
                from reconcile.batch as other
                where other.run_id = $1 and other.done_at is null and not other.is_deferred
            )
        )
        and exists (select from reconcile.run as r where r.run_id = $1 and r.state = 'open')
    order by b.batch_no
    limit 1
    for update of b skip locked
)
update reconcile.batch as b
set
    worker_no = $2::int,
    lease = $7::bigint,
    leased_until = clock_timestamp() + make_interval(secs => $3::double precision)
where b.run_id = $1 and b.batch_no = (select batch_no from next)
returning
    b.batch_no,
    b.first_user,
    b.last_user,
    b.users,
    b.receipts,
    b.entitlements,
    b.lease,
    b.attempts,
    b.look,
    b.is_deferred,
    (select is_first_lease from next) as is_first_lease
