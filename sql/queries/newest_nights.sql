-- The newest published run over everything, and the newest held one if it is newer.
-- No parameters. No locks. Reads the table of runs; index run_earlier.
with published as (
    select run_no, run_id, as_of, is_complete, 'published' as state
    from reconcile.run
    where makes_history and state = 'published'
    order by run_no desc
    limit 1
)
select run_id, as_of, is_complete, state
from published
union all
(
    select r.run_id, r.as_of, r.is_complete, r.state
    from reconcile.run as r
    where r.makes_history
        and r.state = 'held'
        and r.run_no > coalesce((select p.run_no from published as p), 0)
    order by r.run_no desc
    limit 1
)
