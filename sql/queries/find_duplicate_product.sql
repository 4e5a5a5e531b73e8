-- One product_id that is in several rows of catalog_products, if any.
-- No parameters. No locks. Reads the whole view once.
select product_id
from reconcile.catalog_products
where product_id is not null
group by product_id
having count(*) > 1
order by product_id
limit 1
