-- Retracts the newest published run and restores the ledger to its state before it. Abandons an
-- unfinished run over everything, since its history has changed. Returns the run; no row when it is
-- not the newest published one, or when the run before it was pruned.
-- $1 text run_id, $2 text who, $3 text why. Locks: the rows. Index run_earlier, ledger_first_run,
-- ledger_undo_run, run_open.
with this as (
    update reconcile.run as r
    set
        state = 'retracted',
        makes_history = false,
        retracted_by = $2,
        retracted_why = $3,
        retracted_at = now()
    where r.run_id = $1
        and r.state = 'published'
        and r.makes_history
        and not exists (
            select
            from reconcile.run as later
            where later.makes_history
                and later.state = 'published'
                and later.run_no > r.run_no
        )
        and not exists (
            select
            from (
                select earlier.pruned_at
                from reconcile.run as earlier
                where earlier.makes_history
                    and earlier.state = 'published'
                    and earlier.run_no < r.run_no
                order by earlier.run_no desc
                limit 1
            ) as e
            where e.pruned_at is not null
        )
    returning r.run_id, r.run_no
),
restored as (
    update reconcile.ledger as l
    set state = u.state, last_run_no = u.last_run_no
    from reconcile.ledger_undo as u
    inner join this on u.run_no = this.run_no
    where l.finding_id = u.finding_id
),
removed as (
    delete from reconcile.ledger as l
    using this
    where l.first_run_no = this.run_no
),
undone as (
    delete from reconcile.ledger_undo as u
    using this
    where u.run_no = this.run_no
),
abandoned as (
    update reconcile.run as r
    set state = 'abandoned', finished_at = now()
    from this
    where r.state = 'open' and r.makes_history
)
select run_id
from this
