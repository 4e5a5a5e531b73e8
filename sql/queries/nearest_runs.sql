-- The runs whose ids are next before and after a text.
-- $1 text. No locks. Reads the table of runs.
select string_agg(r.run_id, ',' order by r.run_id) as nearest
from reconcile.run as r
where r.run_id in (
    select max(b.run_id)
    from reconcile.run as b
    where b.run_id <= $1
    union all
    select min(a.run_id)
    from reconcile.run as a
    where a.run_id > $1
)
