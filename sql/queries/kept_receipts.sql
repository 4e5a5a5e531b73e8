-- The receipts that Apple signed in its answers and that are kept for a user.
-- $1 text user. No locks. Index kept_receipt_app.
select
    user_id,
    bundle_id,
    environment,
    receipt_id,
    made_at,
    receipt
from reconcile.kept_receipt
where md5(user_id) = md5($1) and user_id = $1
