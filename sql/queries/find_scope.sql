-- The scope of a run, one row per part: the most users, a user or a receipt.
-- $1 text run_id. No locks. Primary key.
select 'limit' as kind, scope ->> 'limit' as value
from reconcile.run
where run_id = $1 and scope ? 'limit'
union all
select named.kind, value.value
from reconcile.run as r
cross join lateral (values ('users'), ('receipts')) as named (kind)
cross join lateral jsonb_array_elements_text(coalesce(r.scope -> named.kind, '[]')) as value (value)
where r.run_id = $1
order by kind, value
