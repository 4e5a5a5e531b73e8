-- The number of a run's findings without an amount although their kind has one, by reason.
-- $1 text run_id. No locks. Primary key.
select
    money_bucket as bucket,
    no_amount,
    count(*) as findings
from reconcile.finding
where run_id = $1 and money_bucket is not null and estimated_amount is null
group by money_bucket, no_amount
order by money_bucket, no_amount
