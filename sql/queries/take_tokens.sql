-- Takes some tokens in advance. Returns when the first falls due, and how far they lie apart, in
-- seconds from the server's clock; a negative time is past.
-- The law: a token is due no earlier than a burst before now, and one interval after the other, so
-- every w seconds hold burst + rate · w at most. A bucket that lies over a minute ahead was made
-- so by a clock that was set back: it begins anew, empty.
-- $1 text environment, $2 int tokens, $3 double precision a lead: seconds after the server's clock
-- from which all is reckoned. Locks: the row.
with clock as materialized (
    select clock_timestamp() + make_interval(secs => $3::double precision) as now
),
taken as (
    update reconcile.rate_bucket as b
    set next_at = greatest(
        case
            when b.next_at > clock.now + interval '1 minute'
            then clock.now + make_interval(secs => 1 / b.rate)
            else b.next_at
        end,
        clock.now - make_interval(secs => (b.burst - 1) / b.rate)
    ) + make_interval(secs => $2::int / b.rate)
    from clock
    where b.environment = $1
    returning b.next_at, b.rate, clock.now
)
select
    extract(epoch from next_at - now)::double precision - $2::int / rate as first_due,
    1 / rate as apart
from taken
