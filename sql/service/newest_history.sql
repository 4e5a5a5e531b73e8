-- The newest published run over everything: what it recorded, a validation that begins now knows.
-- No parameters, no locks. Index run_earlier.
select coalesce(max(run_no), 0) as run_no
from reconcile.run
where makes_history and state = 'published'
