-- Which receipt was stored when, for a range of users.
-- $1 text first user, $2 text last user. No locks. Index on the view's user_id.
select
    receipt_id,
    user_id,
    reconcile.milliseconds(stored_at) as stored_at
from reconcile.stored_receipts
where user_id between $1 and $2
