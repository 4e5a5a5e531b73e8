-- Records that a worker stopped the requests about an app's receipts, one of which Apple was just
-- asked about. Forgets an earlier answer.
-- $1 text run_id, $2 text bundle_id, $3 boolean whether Apple wrote the receipts, $4 text cause.
-- Locks: the row. Index stopped_app_bundle.
insert into reconcile.stopped_app as a (run_id, bundle_id, written_by_apple, cause, asked_at)
values ($1, $2, $3::boolean, $4, clock_timestamp())
on conflict (run_id, md5(bundle_id), written_by_apple) do update
set
    cause = excluded.cause,
    asked_at = case when a.answered_at is null then a.asked_at else excluded.asked_at end,
    answered_at = null
