-- The number of receipts in scope: of all users, of users up to $1, or of the users $2.
-- $1 text last user or null, $2 text[] users or null; both null: all. No locks. Index on the view's
-- user_id.
select count(*) as receipts
from reconcile.stored_receipts
where ($1::text is null or user_id <= $1::text)
    and ($2::text[] is null or user_id = any($2::text[]))
