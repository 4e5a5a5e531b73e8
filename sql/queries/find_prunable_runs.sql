-- Runs that ended before an instant and are not pruned. Excludes the last nightly run, with which
-- the next one is compared, and a newer held one.
-- $1 timestamptz. No locks. Reads the table of runs; index run_earlier.
select run_id
from reconcile.run
where finished_at < $1::timestamptz
    and state <> 'open'
    and pruned_at is null
    and run_no is distinct from (
        select max(run_no)
        from reconcile.run
        where state = 'published' and makes_history
    )
    and run_no is distinct from (
        select max(run_no)
        from reconcile.run
        where state in ('published', 'held') and makes_history
    )
order by run_id
