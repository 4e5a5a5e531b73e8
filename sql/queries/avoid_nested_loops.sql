-- Makes nested loops the planner's last choice to the end of the transaction: it has no statistics
-- of what the run has just written, and would read it all once for each of a few rows.
-- No parameters. No locks.
select set_config('enable_nestloop', 'off', true) as enable_nestloop
