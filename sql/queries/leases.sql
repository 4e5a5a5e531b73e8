-- Leases of batches, and of the groups of the second look.

-- name: lease_batch
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

-- name: begin_batch
-- Counts an attempt at a batch.
-- $1 text run_id, $2 int batch_no, $3 bigint its lease. Locks: the row. Primary key.
update reconcile.batch
set attempts = attempts + 1
where run_id = $1 and batch_no = $2::int and lease = $3::bigint and done_at is null

-- name: hold_batches
-- Adds a flush to the chain of its worker, renews leases, even expired ones, unless another worker
-- has taken over the batch or the run has ended, marks batches that are done, and releases those of
-- which users are deferred, to be leased again when all others are done. Returns the
-- number of the worker's last flush before, or null when the database has no such worker; and the
-- batches whose lease is still valid; and the number of the run. Does nothing unless the last flush
-- is $5: otherwise commits were lost, or this flush has already taken effect ($3), by a COMMIT
-- whose response was lost.
-- $1 text run_id, $2 double precision seconds, $3 bigint the number of the flush, $4 int worker_no,
-- $5 bigint the number of the flush before; {given} are those of BatchFlush, with {batch_no} int[].
-- Locks: the worker's row, which waits for an earlier attempt whose session has not ended; the
-- rows. Primary keys; by batch numbers: with outdated statistics a join alone reads every batch of
-- the run.
with link as materialized (
    select w.flush_no
    from reconcile.worker as w
    where w.worker_no = $4::int
    for update
),
linked as (
    update reconcile.worker as w
    set flush_no = $3::bigint
    from link
    where w.worker_no = $4::int and link.flush_no = $5::bigint
),
renewed as (
    update reconcile.batch as b
    set
        leased_until = case
            when not given.is_deferred
            then clock_timestamp() + make_interval(secs => $2::double precision)
        end,
        worker_no = case when not given.is_deferred then b.worker_no end,
        is_deferred = b.is_deferred or given.is_deferred,
        attempts = case when given.has_rows then 0 else b.attempts end,
        done_at = case when given.is_done then now() end
    from {given}
    cross join link
    where b.run_id = $1
        and b.batch_no = any({batch_no})
        and b.batch_no = given.batch_no
        and b.lease = given.lease
        and b.done_at is null
        and link.flush_no = $5::bigint
        and exists (select from reconcile.run as r where r.run_id = $1 and r.state = 'open')
    returning b.batch_no
)
select
    (select link.flush_no from link) as flush_no,
    array(select renewed.batch_no from renewed) as batches,
    (select r.run_no from reconcile.run as r where r.run_id = $1) as run_no

-- name: put_back_batch
-- Releases a batch that could not be read, to be leased again after a wait. It does not count as an
-- attempt. No effect when its lease was taken over.
-- $1 text run_id, $2 int batch_no, $3 bigint its lease, $4 double precision seconds. Locks: the
-- row. Primary key.
update reconcile.batch
set
    not_before = clock_timestamp() + make_interval(secs => $4::double precision),
    worker_no = null,
    leased_until = null,
    -- An attempt at a group begins before it is read.
    attempts = case when look > 1 then greatest(attempts - 1, 0) else attempts end
where run_id = $1
    and batch_no = $2::int
    and lease = $3::bigint
    and done_at is null

-- name: complete_batch
-- Marks a batch as done under its lease. Returns whether an earlier attempt, whose COMMIT had no
-- response, has already done so, and the number of the run; no row when the lease was taken over or
-- the run has ended.
-- $1 text run_id, $2 int batch_no, $3 bigint its lease. Locks: the row. Primary key.
with this as materialized (
    select b.done_at is not null as was_done, r.run_no
    from reconcile.batch as b
    inner join reconcile.run as r on r.run_id = b.run_id and r.state = 'open'
    where b.run_id = $1
        and b.batch_no = $2::int
        and b.lease = $3::bigint
    for update of b
),
done as (
    update reconcile.batch as b
    set done_at = now()
    from this
    where b.run_id = $1 and b.batch_no = $2::int and not this.was_done
)
select was_done, run_no from this

-- name: release_leases
-- Releases the unfinished batches of a worker. For the batches $3, begun before the worker was
-- asked to stop, the attempt does not count.
-- $1 text run_id, $2 int worker_no, $3 int[] batches. Locks: the rows. Index batch_not_done.
update reconcile.batch
set
    worker_no = null,
    leased_until = null,
    attempts = case
        when batch_no = any($3::int[]) then greatest(attempts - 1, 0)
        else attempts
    end
where run_id = $1 and done_at is null and worker_no = $2::int

-- name: free_orphaned_leases
-- Frees the batches of workers whose session has ended; returns their number.
-- $1 text run_id, $2 int this worker's worker_no. Locks: the rows. Index batch_not_done.
with freed as (
    update reconcile.batch as b
    set worker_no = null, leased_until = null
    where b.run_id = $1
        and b.done_at is null
        and b.worker_no is not null
        and b.worker_no <> $2::int
        and not exists (
            select from reconcile.live_worker as l where l.worker_no = b.worker_no
        )
    returning b.batch_no
)
select count(*) as batches from freed

-- name: run_progress
-- The state of a run, whether its users are cut into batches, how many of these are unfinished,
-- without those of a list, and whether users wait to be cut into groups of the second look.
-- $1 text run_id, $2 int[] batches that the worker holds. No locks. Indexes batch_not_done and
-- second_look_group.
select
    r.state,
    r.cut_at is not null as is_cut,
    (
        select count(*)
        from reconcile.batch as b
        where b.run_id = $1 and b.done_at is null and b.batch_no <> all($2::int[])
    ) as batches,
    exists (
        select from reconcile.second_look as s where s.run_id = $1 and s.batch_no is null
    ) as has_uncut_users
from reconcile.run as r
where r.run_id = $1

-- name: cut_second_look, long
-- Cuts the users put off to the second look into groups of at most $2, as batches, once all other
-- users are recorded. Does nothing before that, or a second time. Returns the number of groups and
-- users.
-- $1 text run_id, $2 int users a group at most.
-- Locks: the run's row, those users and the new rows. Indexes batch_not_done and second_look_group;
-- the primary key of the batches.
with opened as (
    update reconcile.run as r
    set second_look_at = now()
    where r.run_id = $1
        and r.state = 'open'
        and r.second_look_at is null
        and not exists (
            select from reconcile.batch as b where b.run_id = $1 and b.done_at is null
        )
    returning r.run_id
),
last as (
    select coalesce(max(b.batch_no), 0) as batch_no
    from reconcile.batch as b
    where b.run_id = $1
),
numbered as (
    select
        s.ctid as row_id,
        last.batch_no
        + 1
        + ((row_number() over (order by s.user_id collate "C") - 1) / $2::int)::int as batch_no
    from reconcile.second_look as s
    cross join opened
    cross join last
    where s.run_id = $1 and s.batch_no is null
),
grouped as (
    update reconcile.second_look as s
    set batch_no = numbered.batch_no
    from numbered
    where s.ctid = numbered.row_id
    returning s.batch_no
),
inserted as (
    insert into reconcile.batch (run_id, batch_no, look, users)
    select $1, batch_no, 2, count(*)
    from grouped
    group by batch_no
    returning users
)
select count(*) as groups, coalesce(sum(users), 0) as users
from inserted

-- name: group_users
-- The users of a second look's group who are not recorded, with the results of the first pass: one
-- row per refused receipt.
-- $1 text run_id, $2 int batch_no. No locks. Indexes second_look_group and user_result_batch.
select
    s.user_id,
    refused.receipt_id,
    refused.refused_by
from reconcile.second_look as s
cross join lateral unnest(s.refused_receipts, s.refused_by) as refused (receipt_id, refused_by)
where s.run_id = $1
    and s.batch_no = $2::int
    and not exists (
        select
        from reconcile.user_result as r
        where r.run_no = (select run_no from reconcile.run where run_id = $1)
            and r.batch_no = $2::int
            and r.user_id = s.user_id
    )
order by s.user_id collate "C", refused.receipt_id collate "C"

-- name: draw_controls, long
-- Draws receipts that a run verified by an answer of one server, as controls of a second look. They
-- are drawn in the order of their digests, starting at a point that the caller derives from the
-- run's id: pseudorandom, and the same for every worker. Leaves out receipts over 4 MiB, and those
-- deleted or moved to another user since.
-- $1 text run_id, $2 text server, $3 bigint the point, $4 int how many,
-- $5 text the run_id whose put-off users are left out, when $1 is an earlier run; else null.
-- No locks. Index outcome_receipt, from the point to the end and then from the beginning;
-- second_look_group; index on the view's user_id.
with drawn as (
    (
        select 1 as part, hashtextextended(o.receipt_id, 0) as draw_key, o.receipt_id, o.user_id
        from reconcile.outcome as o
        where o.run_no = (select run_no from reconcile.run where run_id = $1)
            and hashtextextended(o.receipt_id, 0) >= $3::bigint
            and o.outcome = 'verified'
            and o.server = $2
            and (
                $5::text is null
                or o.user_id not in (
                    select s.user_id from reconcile.second_look as s where s.run_id = $5::text
                )
            )
        order by hashtextextended(o.receipt_id, 0)
        limit $4::int
    )
    union all
    (
        select 2 as part, hashtextextended(o.receipt_id, 0) as draw_key, o.receipt_id, o.user_id
        from reconcile.outcome as o
        where o.run_no = (select run_no from reconcile.run where run_id = $1)
            and hashtextextended(o.receipt_id, 0) < $3::bigint
            and o.outcome = 'verified'
            and o.server = $2
            and (
                $5::text is null
                or o.user_id not in (
                    select s.user_id from reconcile.second_look as s where s.run_id = $5::text
                )
            )
        order by hashtextextended(o.receipt_id, 0)
        limit $4::int
    )
    order by part, draw_key
    limit $4::int
)
select
    s.receipt_id,
    s.user_id,
    s.bundle_id,
    s.stored_at,
    s.receipt_data
from drawn
cross join lateral (
    select r.receipt_id, r.user_id, r.bundle_id, r.stored_at, r.receipt_data
    from reconcile.stored_receipts as r
    where r.user_id = drawn.user_id and r.receipt_id = drawn.receipt_id
    limit 1
) as s
where octet_length(s.receipt_data) <= 4194304
order by drawn.part, drawn.draw_key

-- name: postpone_batch
-- Puts off a group of the second look: releases it, to be leased again after a wait. No row when
-- its lease was taken over.
-- $1 text run_id, $2 int batch_no, $3 bigint its lease, $4 double precision seconds. Locks: the
-- row. Primary key.
update reconcile.batch
set
    look = look + 1,
    not_before = clock_timestamp() + make_interval(secs => $4::double precision),
    worker_no = null,
    leased_until = null,
    attempts = 0
where run_id = $1
    and batch_no = $2::int
    and lease = $3::bigint
    and look < 3
    and done_at is null
returning batch_no
