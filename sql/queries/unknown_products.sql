-- The products outside the catalogue that somebody's right-giving answers show: how many users'
-- they are, and how many stored entitlements name them.
-- $1 text run_id. No locks. One pass over the run's part of the table.
select product_id, sum(users) as users, sum(entitlements) as entitlements
from reconcile.sighted_product
where run_id = $1
group by product_id
having sum(users) > 0
order by product_id
