-- The refunds and expirations that a run records, by their day in California: the newest 92 days,
-- oldest first. A day is given as midnight in UTC; before 2008 and after 9999 it is the day in UTC,
-- as in sum_findings.
-- $1 text run_id, $2 text[] kinds of refunds, $3 text[] kinds of expirations. No locks. Primary
-- key.
select n.day, n.refunds, n.expirations
from (
    select
        case
            when f.event_at >= timestamptz '2008-01-01 00:00:00+00'
                and f.event_at < timestamptz '10000-01-01 00:00:00+00'
                then date_trunc('day', f.event_at at time zone 'America/Los_Angeles')
                    at time zone 'UTC'
            else date_trunc('day', f.event_at, 'UTC')
        end as day,
        count(*) filter (where f.kind = any($2::text[])) as refunds,
        count(*) filter (where f.kind = any($3::text[])) as expirations
    from reconcile.finding as f
    where f.run_id = $1
        and f.event_at is not null
        and (f.kind = any($2::text[]) or f.kind = any($3::text[]))
    group by 1
    order by 1 desc
    limit 92
) as n
order by n.day
