-- How many answers of each status a run had, summed over its batches.
-- $1 text run_id. Returns whether it is an HTTP status, the status and the number.
-- No locks. Primary key.
select false as is_http, counted.status::bigint as status, sum(counted.number::bigint) as number
from reconcile.batch as b
cross join lateral jsonb_each_text(b.requests_by_status) as counted (status, number)
where b.run_id = $1
group by counted.status
union all
select true as is_http, counted.status::bigint as status, sum(counted.number::bigint) as number
from reconcile.batch as b
cross join lateral jsonb_each_text(b.requests_by_http_status) as counted (status, number)
where b.run_id = $1
group by counted.status
order by is_http, status
