-- Publishes the newest held run as of now; move_ledger then updates the ledger. Abandons an
-- unfinished run over everything, since its history has changed. Returns the run; no row when it is
-- not held, is a trial, was pruned, or was replaced by a later one.
-- $1 text run_id, $2 text who, $3 text why. Locks: the rows. Index run_open.
with this as (
    update reconcile.run as r
    set state = 'published', released_by = $2, released_why = $3, released_at = now()
    where r.run_id = $1
        and r.state = 'held'
        and r.makes_history
        and r.pruned_at is null
        and not exists (
            select
            from reconcile.run as later
            where later.makes_history
                and later.state in ('published', 'held')
                and later.run_no > r.run_no
        )
    returning r.run_id
),
abandoned as (
    update reconcile.run as r
    set state = 'abandoned', finished_at = now()
    from this
    where r.state = 'open' and r.makes_history
)
select run_id
from this
