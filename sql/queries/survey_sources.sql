-- Which values the column source has, the most frequent first.
-- No parameters. No locks. Reads one column of the view whole.
select coalesce(source, '') as source, count(*) as entitlements
from reconcile.stored_entitlements
group by source
order by count(*) desc, source
limit 10
