-- Discourages nested loops until the end of the transaction. The planner has no statistics of rows
-- that the run has just written, and would scan all of them once per row of another table.
-- No parameters. No locks.
select set_config('enable_nestloop', 'off', true) as enable_nestloop
