-- Counts what cut_selected_batches would cut: the receipts of the named users. Writes nothing.
-- $1 text[] users, each once. No locks. Index on the view's user_id.
select count(*) as receipts
from reconcile.stored_receipts
where user_id = any($1::text[])
