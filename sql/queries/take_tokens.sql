-- Takes some tokens in advance. Returns how many, when the first falls due and how far they lie
-- apart, in seconds from the server's clock and the lead (a negative time is past), and the
-- server's clock in microseconds since 1970.
-- The rate limit: a token falls due no earlier than a burst before now, and no earlier than an
-- interval after the one before it, so every w seconds hold at most burst + rate * w. What is
-- reserved is rounded up to a microsecond, the resolution of next_at: rounded down, a rate of 3,000
-- would be 3,003. Workers hold a token each where the rate is low, so the bucket may lie far ahead:
-- by more than a minute and the intervals of 1,000 tokens only after a clock was set back. Then it
-- begins anew, empty. A worker that has reduced its rate pays more for a token: the interval of its
-- share of the rate, which slows the bucket for all workers and only ever widens what is reserved.
-- Customers wait for the receipt validation service: while tokens of its lie ahead, others get none
-- and ask again when the last of them is due. One time in ten they get theirs all the same, so that
-- a run goes on however busy the service is.
-- $1 text environment, $2 int tokens, $3 double precision a lead: seconds after the server's clock
-- from which all is reckoned, $4 double precision the share of the rate, 0.1 to 1, $5 boolean
-- whether it is the service that asks. Locks: the row. Index: its primary key.
with asked as materialized (
    select
        clock_timestamp() + make_interval(secs => $3::double precision) as now,
        least(1, greatest(0.1, $4::double precision)) as share,
        $5::boolean or random() < 0.1 as is_admitted
),
taken as (
    update reconcile.rate_bucket as b
    set
        next_at = case
            when b.service_is_last
                and not asked.is_admitted
                and extract(epoch from b.next_at - asked.now)
                between 1 / b.rate and 60 + 1000 / b.rate
            then b.next_at
            else greatest(
                case
                    when extract(epoch from b.next_at - asked.now) > 60 + 1000 / b.rate
                    then asked.now + make_interval(secs => 1 / b.rate)
                    else b.next_at
                end,
                asked.now - make_interval(secs => (b.burst - 1) / b.rate)
            ) + make_interval(secs => ceil($2::int / (b.rate * asked.share) * 1e6) / 1e6)
        end,
        service_is_last = $5::boolean
        or (
            b.service_is_last
            and not asked.is_admitted
            and extract(epoch from b.next_at - asked.now)
            between 1 / b.rate and 60 + 1000 / b.rate
        )
    from asked
    where b.environment = $1
    returning
        b.next_at,
        asked.now,
        case when b.service_is_last and not $5::boolean then 0 else $2::int end as tokens,
        ceil($2::int / (b.rate * asked.share) * 1e6) / 1e6 as reserved,
        1 / (b.rate * asked.share) as apart
)
select
    tokens,
    extract(epoch from next_at - now)::double precision
    - case when tokens = 0 then 0 else reserved end as first_due,
    apart,
    round(
        (extract(epoch from now) - $3::double precision::numeric) * 1000000
    )::bigint as taken_at
from taken
