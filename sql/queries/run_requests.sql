-- The requests of a run to Apple, by server and answer.
-- $1 text run_id. No locks. Index request_count_run.
select
    server,
    http_status,
    status,
    sum(requests) as requests,
    sum(retries) as retries
from reconcile.request_count
where run_id = $1
group by server, http_status, status
order by server, http_status, status
