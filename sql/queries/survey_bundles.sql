-- The number of receipts of each app, highest first.
-- No parameters. No locks. Reads one column of the view completely.
select bundle_id, count(*) as receipts
from reconcile.stored_receipts
where bundle_id is not null
group by bundle_id
order by count(*) desc, bundle_id
limit 100
