-- The number of answers per status in a run, counted from the rows of its users. Returns whether it
-- is an HTTP status, the status and the number.
-- $1 text run_id. No locks. Index user_result_batch.
select false as is_http, answer.status, count(*) as number
from reconcile.user_result as u
cross join lateral unnest(u.statuses) as answer (status)
where u.run_id = $1
group by answer.status
union all
select true as is_http, answer.status, count(*) as number
from reconcile.user_result as u
cross join lateral unnest(u.http_statuses) as answer (status)
where u.run_id = $1
group by answer.status
order by is_http, status
