-- The runs whose id begins with $1.
-- $1 text. No locks. Reads the table of runs.
select
    run_id,
    state,
    is_trial,
    retracted_by,
    retracted_why,
    retracted_at,
    released_by,
    released_why,
    released_at
from reconcile.run
where starts_with(run_id, $1)
order by run_id
limit 3
