-- Records the requests of a try of a stopped app, which belong to no user, and that Apple answered.
-- $1 text run_id, $2 text bundle_id, $3 boolean whether Apple wrote the app's stopped receipts,
-- $4 boolean whether Apple answered otherwise than before, $5 text[] servers, $6 int[] HTTP
-- statuses, $7 bigint[] statuses, $8 int[] requests, $9 int[] retries. Locks: the app's row.
-- Index stopped_app_bundle.
with answered as (
    update reconcile.stopped_app
    set answered_at = clock_timestamp()
    where run_id = $1
        and md5(bundle_id) = md5($2)
        and written_by_apple = $3::boolean
        and $4::boolean
)
insert into reconcile.request_count (run_id, server, http_status, status, requests, retries)
select $1, given.server, given.http_status, given.status, given.requests, given.retries
from unnest($5::text[], $6::int[], $7::bigint[], $8::int[], $9::int[])
    as given (server, http_status, status, requests, retries)
