-- The newest published run over everything.
-- No parameters. No locks. Index run_earlier.
select run_id
from reconcile.run
where makes_history and state = 'published'
order by run_no desc
limit 1
