-- Counts over the stored entitlements: nulls, sources and impossible dates.
-- No parameters. No locks. Scans both views, but no receipt data.
select
    count(*) as entitlements,
    count(*) filter (where user_id is null) as without_user,
    count(*) filter (
        where entitlement_id is null
            or user_id is null
            or product_id is null
            or is_active is null
            or source is null
            or updated_at is null
    ) as with_null,
    count(*) filter (
        where expires_at < timestamptz '2008-07-10'
            or (expires_at > now() + interval '20 years' and isfinite(expires_at))
            or updated_at < timestamptz '2008-07-10'
            or updated_at > now() + interval '1 day'
    ) as with_odd_date,
    count(*) filter (where source = 'app_store') as of_app_store,
    count(*) filter (
        where source = 'app_store'
            and not exists (
                select
                from reconcile.catalog_products as p
                where p.product_id = e.product_id
            )
    ) as without_product,
    count(*) filter (
        where source = 'app_store'
            and is_active
            and not exists (
                select
                from reconcile.stored_receipts as r
                where r.user_id = e.user_id
            )
    ) as without_receipt,
    max(updated_at) filter (where isfinite(updated_at) and updated_at <= now()) as newest
from reconcile.stored_entitlements as e
