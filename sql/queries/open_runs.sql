-- The unfinished runs.
-- No parameters. No locks. Index run_open.
select run_id
from reconcile.run
where state = 'open'
order by run_id
