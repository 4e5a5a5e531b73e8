-- All kept receipts, or those of a user, for the team to store back.
-- $1 text user or null. No locks. Reads the table whole without a user. Ordered as ids are.
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
