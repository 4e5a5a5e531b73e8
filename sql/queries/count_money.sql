-- The amounts of a run's findings: by bucket and currency, and further by kind, by product
-- (Apple's, else the stored one) and by bundle.
-- $1 text run_id. No locks. Primary key.
select
    f.money_bucket as bucket,
    f.currency,
    case
        when grouping(f.kind) = 0 then 'kind'
        when grouping(f.product_id) = 0 then 'product'
        when grouping(f.bundle_id) = 0 then 'bundle'
        else 'all'
    end as by_what,
    coalesce(f.kind, f.product_id, f.bundle_id, '') as name,
    sum(f.estimated_amount) as amount,
    count(*) as findings
from (
    select
        money_bucket,
        currency,
        kind,
        coalesce(product_apple, product_stored, '') as product_id,
        coalesce(bundle_id, '') as bundle_id,
        estimated_amount
    from reconcile.finding
    where run_id = $1 and estimated_amount is not null
) as f
group by grouping sets (
    (f.money_bucket, f.currency),
    (f.money_bucket, f.currency, f.kind),
    (f.money_bucket, f.currency, f.product_id),
    (f.money_bucket, f.currency, f.bundle_id)
)
order by by_what, name, bucket, currency
