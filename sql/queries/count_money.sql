-- The amounts of a run's findings, summed from their rows.
-- $1 text run_id. No locks. Primary key.
select
    case when kind = 'refund_recorded' then 'refunded' else direction end as bucket,
    currency,
    sum(estimated_amount) as amount
from reconcile.finding
where run_id = $1 and estimated_amount is not null
group by bucket, currency
order by bucket, currency
