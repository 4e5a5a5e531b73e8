-- The number of answers per status in a run. Returns whether it is an HTTP status, the status and
-- the number.
-- $1 text run_id. No locks. Index answer_count_run.
select is_http, status, sum(answers) as number
from reconcile.answer_count
where run_id = $1
group by is_http, status
order by is_http, status
