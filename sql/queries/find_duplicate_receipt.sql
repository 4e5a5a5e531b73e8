-- One receipt_id that is in several rows of stored_receipts, if any.
-- No parameters. No locks. Reads the whole view once.
select receipt_id
from reconcile.stored_receipts
where receipt_id is not null
group by receipt_id
having count(*) > 1
order by receipt_id
limit 1
