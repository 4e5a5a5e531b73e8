-- The catalogue of apps, with what the paid → freemium rule needs.
-- No parameters, no locks. Reads the whole view.
select
    bundle_id,
    last_paid_version,
    paid_until,
    premium_product_id
from reconcile.catalog_apps
order by bundle_id
