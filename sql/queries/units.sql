-- Units: what Apple sold and took back, by Pacific day, app and product.

-- name: count_units, long
-- Counts the units of a run from the sightings of its users, once: each purchase once as sold, and
-- once as refunded or upgraded, on the earliest day that a user's answers show, then for the
-- smaller app. Every user who shows it is a customer of that line.
-- $1 text run_id. Locks: the new rows. Reads the sightings three times, and sorts those of
-- purchases that several users show.
with this as (
    select run_no, units_from, units_to
    from reconcile.run
    where run_id = $1
),
seen as not materialized (
    select
        s.bundles[e.line] as bundle_id,
        s.products[e.line] as product_id,
        s.flush_no,
        e.member,
        e.kind,
        e.kind >= 2 as is_cancelled,
        e.quantity,
        e.happened_at,
        e.purchase
    from reconcile.unit_sighting as s
    cross join unnest(
        s.lines, s.users, s.kinds, s.quantities, s.instants, s.purchases
    ) as e (line, member, kind, quantity, happened_at, purchase)
    where s.run_no = (select run_no from this)
),
repeated as materialized (
    select purchase, is_cancelled
    from seen
    group by purchase, is_cancelled
    having count(*) > 1
),
placed as (
    select
        seen.happened_at,
        seen.bundle_id,
        seen.product_id,
        seen.kind,
        seen.quantity,
        seen.flush_no,
        seen.member
    from seen
    left join repeated
        on repeated.purchase = seen.purchase and repeated.is_cancelled = seen.is_cancelled
    where repeated.purchase is null
    union all
    select
        first_value(seen.happened_at) over earliest,
        first_value(seen.bundle_id) over earliest,
        first_value(seen.product_id) over earliest,
        seen.kind,
        case when row_number() over earliest = 1 then seen.quantity else 0 end as quantity,
        seen.flush_no,
        seen.member
    from seen
    inner join repeated
        on repeated.purchase = seen.purchase and repeated.is_cancelled = seen.is_cancelled
    window earliest as (
        partition by seen.purchase, seen.is_cancelled
        order by
            seen.happened_at,
            seen.bundle_id collate "C",
            seen.product_id collate "C",
            seen.kind,
            seen.quantity
    )
),
counted as (
    select
        p.day,
        p.bundle_id,
        p.product_id,
        p.kind,
        p.quantity,
        p.flush_no,
        p.member
    from (
        select
            (happened_at at time zone 'America/Los_Angeles')::date as day,
            bundle_id,
            product_id,
            kind,
            quantity,
            flush_no,
            member
        from placed
    ) as p
    inner join this on p.day between this.units_from and this.units_to
),
by_customer as (
    select
        day,
        bundle_id,
        product_id,
        coalesce(sum(quantity) filter (where kind in (0, 1)), 0) as sold,
        coalesce(sum(quantity) filter (where kind = 1), 0) as trials,
        coalesce(sum(quantity) filter (where kind = 2), 0) as refunded,
        coalesce(sum(quantity) filter (where kind = 3), 0) as upgraded
    from counted
    group by day, bundle_id, product_id, flush_no, member
)
insert into reconcile.units (
    run_id, day, bundle_id, product_id, sold, trials, refunded, upgraded, customers
)
select
    $1,
    day,
    bundle_id,
    product_id,
    sum(sold),
    sum(trials),
    sum(refunded),
    sum(upgraded),
    count(*)
from by_customer
group by day, bundle_id, product_id

-- name: drop_unit_sightings, long
-- Removes the sightings of a run whose units are counted, and of runs that ended without being.
-- $1 text run_id. Locks: the rows. Scans the table, which holds runs in progress only.
delete from reconcile.unit_sighting as s
using reconcile.run as r
where r.run_no = s.run_no and (r.run_id = $1 or r.state <> 'open')

-- name: run_units, long
-- The units of a run, in report order (day, then UTF-8 bytes). Days are midnights in UTC.
-- $1 text run_id. No locks. Index units_line, then a sort.
select
    u.day::timestamp at time zone 'UTC' as day,
    u.bundle_id,
    u.product_id,
    u.sold,
    u.trials,
    u.refunded,
    u.upgraded,
    u.customers
from reconcile.units as u
where u.run_id = $1
order by
    u.day,
    u.bundle_id collate "C",
    u.product_id collate "C"

-- name: sum_units
-- The sums of the units of a run.
-- $1 text run_id. No locks. Index units_line.
select
    coalesce(sum(u.sold), 0)::bigint as sold,
    coalesce(sum(u.trials), 0)::bigint as trials,
    coalesce(sum(u.refunded), 0)::bigint as refunded,
    coalesce(sum(u.upgraded), 0)::bigint as upgraded
from reconcile.units as u
where u.run_id = $1
