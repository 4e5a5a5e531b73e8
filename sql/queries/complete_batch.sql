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
