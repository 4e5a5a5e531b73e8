-- Takes tokens in advance. Returns their number; in seconds, when the first falls due, counted from
-- the server's clock plus the lead (negative: due already), and the interval between them; and the
-- server's clock in microseconds since 1970.
-- Invariant: a token falls due no earlier than a burst before now and one interval after the
-- previous token, so every w seconds hold at most burst + rate * w tokens. Reserved time is rounded
-- up to a microsecond, the resolution of next_at: rounded down, a rate of 3,000 would be 3,003.
-- At a low rate each worker holds a token, so next_at may be far ahead. More than a minute plus the
-- intervals of 1,000 tokens means that a clock was set back: the bucket is reset to empty.
-- When the server has started since the last token, it may be a standby that was promoted and does
-- not know the last tokens: the next one falls due after a second and an interval, without a burst.
-- By then the tokens that workers still had are used, a quarter of a second's at most each.
-- A worker with a reduced rate pays the longer interval of its share per token. That slows the
-- bucket for all workers and never exceeds the invariant.
-- The receipt validation service has priority: while its tokens lie ahead, other callers get 0
-- tokens and ask again when the last is due, except one time in ten, so that a run always
-- progresses.
-- $1 text server, $2 int tokens, $3 double precision lead in seconds, added to the server's
-- clock, $4 double precision share of the rate, 0.1 to 1, $5 boolean whether the service asks.
-- Locks: the row. Index: its primary key.
with asked as materialized (
    select
        clock_timestamp() + make_interval(secs => $3::double precision) as now,
        least(1, greatest(0.1, $4::double precision)) as share,
        $5::boolean or random() < 0.1 as is_admitted,
        pg_catalog.pg_postmaster_start_time() as server_started_at
),
taken as (
    update reconcile.rate_bucket as b
    set
        next_at = case
            when b.server_started_at <> asked.server_started_at
            then greatest(
                case
                    when extract(epoch from b.next_at - asked.now) > 60 + 1000 / b.rate
                    then asked.now
                    else b.next_at
                end,
                asked.now + make_interval(secs => 1 + 1 / b.rate)
            ) + make_interval(secs => ceil($2::int / (b.rate * asked.share) * 1e6) / 1e6)
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
            and b.server_started_at = asked.server_started_at
            and extract(epoch from b.next_at - asked.now)
            between 1 / b.rate and 60 + 1000 / b.rate
        ),
        server_started_at = asked.server_started_at
    from asked
    where b.server = $1
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
