-- Marks a run as compared over all users; returns nothing when that was done before. Nested loops
-- are the last choice to the end of the transaction: the planner has no statistics of what the run
-- saw, and would read it all once for each of a few rows.
-- $1 text run_id. Locks: the row. Primary key.
update reconcile.run
set compared_at = now()
where run_id = $1 and compared_at is null
returning run_id, set_config('enable_nestloop', 'off', true) as nested_loops
