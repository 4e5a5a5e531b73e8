-- The number of the newest published run over everything; validations that start now include its
-- refunds.
-- No parameters. No locks. Index run_earlier.
select coalesce(max(run_no), 0) as run_no
from reconcile.run
where makes_history and state = 'published'
