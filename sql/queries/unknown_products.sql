-- Products in right-giving answers that are not in the catalogue, with the number of users and of
-- stored entitlements.
-- $1 text run_id. No locks. One scan of the run's part of the table.
select product_id, sum(users) as users, sum(entitlements) as entitlements
from reconcile.sighted_product
where run_id = $1
group by product_id
having sum(users) > 0
order by product_id
