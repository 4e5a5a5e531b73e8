-- The values of the column source, most frequent first.
-- No parameters. No locks. Reads one column of the view completely.
select coalesce(source, '') as source, count(*) as entitlements
from reconcile.stored_entitlements
group by source
order by count(*) desc, source
limit 10
