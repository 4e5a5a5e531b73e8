-- Looks up named users and receipts. Returns 'user' or 'receipt', the id, whether it exists, and
-- the user or null, in the order of the names.
-- $1 text[] user ids, $2 text[] receipt ids. No locks. Indexes on the views' user_id and
-- receipt_id.
select
    'user' as named,
    asked.id,
    exists (select from reconcile.stored_receipts as r where r.user_id = asked.id)
    or exists (select from reconcile.stored_entitlements as e where e.user_id = asked.id) as found,
    asked.id as user_id,
    asked.position
from unnest($1::text[]) with ordinality as asked (id, position)
union all
select
    'receipt' as named,
    asked.id,
    stored.receipt_id is not null as found,
    stored.user_id,
    asked.position
from unnest($2::text[]) with ordinality as asked (id, position)
left join reconcile.stored_receipts as stored on stored.receipt_id = asked.id
order by named desc, position
