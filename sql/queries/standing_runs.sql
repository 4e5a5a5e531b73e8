-- Which of these runs the database has, neither failed, abandoned nor retracted.
-- $1 text[] run_ids. No locks. Primary key.
select run_id
from reconcile.run
where run_id = any($1::text[]) and state in ('open', 'published', 'held')
