-- The figures of a run with age 0, and of the last seven published runs over everything before it
-- with age 1 for the newest.
-- $1 text run_id. No locks. Primary keys, index run_earlier.
with earlier as (
    select r.run_id, row_number() over (order by r.run_no desc) as age
    from reconcile.run as r
    where r.makes_history
        and r.state = 'published'
        and r.run_no < (select this.run_no from reconcile.run as this where this.run_id = $1)
    order by r.run_no desc
    limit 7
)
select runs.age, f.name, f.subject, f.value
from (select $1 as run_id, 0 as age union all select run_id, age from earlier) as runs
inner join reconcile.run_figure as f on f.run_id = runs.run_id
order by runs.age
