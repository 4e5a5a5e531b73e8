-- The catalogue of apps, with the columns of the paid → freemium rule.
-- No parameters. No locks. Reads the whole view.
select
    bundle_id,
    last_paid_version,
    paid_until,
    premium_product_id
from reconcile.catalog_apps
order by bundle_id
