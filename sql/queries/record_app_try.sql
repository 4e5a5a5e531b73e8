-- Records the requests of a try of a stopped app, which belong to no user, and that Apple answered.
-- $1 text run_id, $2 text bundle_id, $3 boolean whether Apple wrote the app's stopped receipts,
-- $4 boolean whether Apple answered otherwise than before, $5 int to production, $6 int to the
-- sandbox, $7 int retries, $8 bigint[] statuses, $9 int[] HTTP statuses. Locks: the app's row.
-- Index stopped_app_bundle.
with answered as (
    update reconcile.stopped_app
    set answered_at = clock_timestamp()
    where run_id = $1
        and md5(bundle_id) = md5($2)
        and written_by_apple = $3::boolean
        and $4::boolean
),
counted as (
    insert into reconcile.answer_count (run_id, status, answers, is_http)
    select $1, answer.status, count(*), answer.is_http
    from (
        select unnest($8::bigint[]) as status, false as is_http
        union all
        select unnest($9::int[]), true
    ) as answer
    group by answer.status, answer.is_http
)
insert into reconcile.user_result (
    run_id, batch_no, receipts_in_scope, receipts_verified, receipts_rejected, receipts_unusable,
    receipts_unverified, entitlements_in_scope, entitlements_consistent,
    entitlements_with_finding, entitlements_settling, entitlements_unverified,
    entitlements_not_judged, requests_production, requests_sandbox, requests_retries
)
values ($1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $5::int, $6::int, $7::int)
