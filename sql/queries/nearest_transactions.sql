-- The transactions whose ids are next before and after a text, in byte order.
-- $1 text. No locks. Reads all records.
select
    max(t.id collate "C") filter (where t.id collate "C" < $1) as before,
    min(t.id collate "C") filter (where t.id collate "C" > $1) as behind
from reconcile.judged_user as j
cross join lateral jsonb_array_elements_text(j.transactions) as t (id)
