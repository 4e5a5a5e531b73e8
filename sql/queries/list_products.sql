-- The catalogue of products. Durations as months, days and milliseconds, like PostgreSQL's
-- interval.
-- No parameters. No locks. Reads the whole view.
select
    product_id,
    kind,
    subscription_group_id,
    service_level,
    coalesce(isfinite(access_duration), true)
        and coalesce(isfinite(billing_period), true)
        and coalesce(list_price::text not in ('NaN', 'Infinity', '-Infinity'), true) as is_finite,
    access.months as access_months,
    access.days as access_days,
    access.milliseconds as access_milliseconds,
    billing.months as billing_months,
    billing.days as billing_days,
    billing.milliseconds as billing_milliseconds,
    list_price,
    currency
from reconcile.catalog_products
left join lateral (
    select
        (extract(year from access_duration) * 12 + extract(month from access_duration))::bigint
            as months,
        extract(day from access_duration)::bigint as days,
        (
            extract(hour from access_duration) * 3600000
            + extract(minute from access_duration) * 60000
            + trunc(extract(milliseconds from access_duration))
        )::bigint as milliseconds
    where isfinite(access_duration)
) as access on true
left join lateral (
    select
        (extract(year from billing_period) * 12 + extract(month from billing_period))::bigint
            as months,
        extract(day from billing_period)::bigint as days,
        (
            extract(hour from billing_period) * 3600000
            + extract(minute from billing_period) * 60000
            + trunc(extract(milliseconds from billing_period))
        )::bigint as milliseconds
    where isfinite(billing_period)
) as billing on true
order by product_id
