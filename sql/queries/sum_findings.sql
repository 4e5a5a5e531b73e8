-- The findings of a run, summed: the rows of `totals`, in report order (UTF-8 bytes, nulls first).
-- Days are midnights in UTC. Before 2008, when there was no App Store, and after 9999, the Pacific
-- day is the day in UTC.
-- $1 text run_id. No locks. Primary key, then a sort.
select
    f.event_day,
    f.event_day_pacific,
    f.bundle_id,
    f.product_id,
    f.kind,
    f.direction,
    f.lifecycle,
    f.currency,
    count(*) as findings,
    sum(f.estimated_amount) as amount
from (
    select
        date_trunc('day', event_at, 'UTC') as event_day,
        case
            when event_at >= timestamptz '2008-01-01 00:00:00+00'
                and event_at < timestamptz '10000-01-01 00:00:00+00'
                then date_trunc('day', event_at at time zone 'America/Los_Angeles')
                    at time zone 'UTC'
            else date_trunc('day', event_at, 'UTC')
        end as event_day_pacific,
        bundle_id,
        coalesce(product_apple, product_stored) as product_id,
        kind,
        direction,
        lifecycle,
        currency,
        estimated_amount
    from reconcile.finding
    where run_id = $1
) as f
group by
    f.event_day,
    f.event_day_pacific,
    f.bundle_id,
    f.product_id,
    f.kind,
    f.direction,
    f.lifecycle,
    f.currency
order by
    f.event_day nulls first,
    f.event_day_pacific nulls first,
    f.bundle_id collate "C" nulls first,
    f.product_id collate "C" nulls first,
    f.kind collate "C",
    f.direction collate "C",
    f.lifecycle collate "C",
    f.currency collate "C" nulls first
