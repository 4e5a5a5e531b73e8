-- Stores receipts that Apple signed in its answers, if newer than those kept for the user, app and
-- environment.
-- $1 text run_id, $2 text[] users, $3 text[] bundles, $4 text[] environments, $5 text[] receipts,
-- $6 timestamptz[] made_at, $7 bytea[] DER. Each user, bundle and environment once.
-- Locks: the rows. Index kept_receipt_app.
insert into reconcile.kept_receipt as k (
    made_at, user_id, bundle_id, environment, receipt_id, run_id, receipt
)
select
    given.made_at,
    given.user_id,
    given.bundle_id,
    given.environment,
    given.receipt_id,
    $1,
    given.receipt
from unnest(
    $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::bytea[]
) as given (user_id, bundle_id, environment, receipt_id, made_at, receipt)
on conflict (md5(user_id), md5(bundle_id), environment) do update
set
    made_at = excluded.made_at,
    user_id = excluded.user_id,
    bundle_id = excluded.bundle_id,
    receipt_id = excluded.receipt_id,
    run_id = excluded.run_id,
    receipt = excluded.receipt
where k.made_at < excluded.made_at
