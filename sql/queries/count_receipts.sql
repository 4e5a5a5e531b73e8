-- How many receipts are in scope: all, those up to a user, or those of some users.
-- $1 text last user or null, $2 text[] users or null; both null: all. No locks.
-- Index on the view's user_id.
select count(*) as receipts
from reconcile.stored_receipts
where ($1::text is null or user_id <= $1::text)
    and ($2::text[] is null or user_id = any($2::text[]))
