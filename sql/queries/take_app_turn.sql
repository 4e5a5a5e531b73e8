-- Takes the turn to ask Apple about a stopped app. No row when a worker of the run has asked less
-- than a while ago.
-- $1 text run_id, $2 text bundle_id, $3 boolean whether Apple wrote the app's stopped receipts,
-- $4 double precision seconds between two turns. Locks: the row. Index stopped_app_bundle.
update reconcile.stopped_app
set asked_at = clock_timestamp()
where run_id = $1
    and md5(bundle_id) = md5($2)
    and written_by_apple = $3::boolean
    and answered_at is null
    and asked_at <= clock_timestamp() - make_interval(secs => $4::double precision)
returning bundle_id
