-- All kept receipts or those of one user, ordered as ids are, for the team to store.
-- $1 text user or null. No locks. Without a user it reads the whole table.
select
    user_id,
    bundle_id,
    environment,
    receipt_id,
    made_at,
    receipt
from reconcile.kept_receipt
where $1::text is null or user_id = $1
order by user_id collate "C", bundle_id collate "C", environment
