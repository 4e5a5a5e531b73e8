-- How a published or held run ended.
-- $1 text run_id. No locks. Primary key.
select state = 'held' as is_held, coalesce(is_complete, false) as is_complete
from reconcile.run
where run_id = $1 and state in ('published', 'held')
