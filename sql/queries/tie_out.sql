-- What `tie-out` compares with Apple's reports.

-- name: published_units
-- The units of some days, each day as the last started published run over everything says that has
-- it in its window; a pruned run has the days that it keeps. A day without units is a row without a
-- product; a day that no run has is none.
-- Days are midnights in UTC.
-- $1 date first, $2 date last. No locks. Index run_earlier, unique
-- index of units.
select
    named.day::timestamp at time zone 'UTC' as day,
    named.run_no,
    named.run_id,
    named.as_of,
    named.is_complete,
    u.bundle_id,
    u.product_id,
    u.sold,
    u.trials,
    u.refunded,
    u.upgraded
from (
    select distinct on (d.day)
        d.day::date as day,
        r.run_no,
        r.run_id,
        r.as_of,
        coalesce(r.is_complete, false) as is_complete
    from generate_series($1::date, $2::date, interval '1 day') as d (day)
    inner join reconcile.run as r
        on d.day::date between r.units_from and r.units_to
    where r.makes_history and r.state = 'published'
    order by d.day, r.run_no desc
) as named
left join reconcile.units as u
    on u.run_id = named.run_id and u.day = named.day
order by named.run_no, named.day, u.bundle_id collate "C", u.product_id collate "C"

-- name: list_product_ids
-- The products of the catalogue, which a financial report is read for.
-- No parameters. No locks. Reads the whole view.
select product_id
from reconcile.catalog_products
where product_id is not null
