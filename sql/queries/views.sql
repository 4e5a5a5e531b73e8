-- The team's views: their columns and locks, the app's catalog, and what `doctor` samples of them.

-- name: describe_views
-- The columns of the team's views, one row each; nulls for a relation without columns. A domain
-- counts as its base type.
-- $1 text[] names of the views. No locks.
select
    c.relname as view_name,
    a.attname as column_name,
    format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type_name,
    a.attcollation::text as collation_id,
    coalesce(l.collisdeterministic, true) as is_deterministic
from pg_catalog.pg_class as c
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
left join pg_catalog.pg_attribute as a
    on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_catalog.pg_type as t on t.oid = a.atttypid
left join pg_catalog.pg_collation as l on l.oid = a.attcollation
where n.nspname = 'reconcile'
    and c.relname = any($1::text[])
    and c.relkind in ('v', 'm', 'r', 'p', 'f')
order by c.relname, a.attnum

-- name: relations_below_views
-- The views and the relations that they read, also by nested views, materialized views and
-- partitions, each with its foreign server.
-- $1 text[] names of the views.
-- Returns view_name, relation (an oid) and server_name, which is null but for foreign tables.
-- No locks. Reads the dependencies in the catalogue completely: milliseconds.
with recursive edges as (
    -- The relations that a view reads are the dependencies of its rule.
    select rule.ev_class as reader, d.refobjid as used
    from pg_catalog.pg_rewrite as rule
    inner join pg_catalog.pg_depend as d
        on d.classid = 'pg_rewrite'::regclass and d.objid = rule.oid
        and d.refclassid = 'pg_class'::regclass
    where rule.ev_type = '1' and d.refobjid <> rule.ev_class
    union
    select inhparent, inhrelid
    from pg_catalog.pg_inherits
),
walk as (
    select c.relname as view_name, c.oid as relation
    from pg_catalog.pg_class as c
    inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = 'reconcile' and c.relname = any($1::text[])
    union
    select w.view_name, e.used
    from walk as w
    inner join edges as e on e.reader = w.relation
)
select
    w.view_name::text as view_name,
    w.relation::bigint as relation,
    s.srvname::text as server_name
from walk as w
left join pg_catalog.pg_foreign_table as t on t.ftrelid = w.relation
left join pg_catalog.pg_foreign_server as s on s.oid = t.ftserver
order by view_name, server_name, relation

-- name: lock_views
-- Locks views and the tables below them, partitions too, against being truncated, rewritten or
-- replaced until the end of the transaction. It must come before the transaction's snapshot, which
-- LOCK itself does not take: an older snapshot would find a truncated table empty.
-- Fails at once (55P03) if a lock is not free. So it never waits for one lock while it holds
-- another, and no session of the team waits in a queue behind it.
-- {views}: the names of the views. No parameters. Locks: access share on all of them.
lock table {views} in access share mode nowait

-- name: find_lock_holder_of_relations
-- The session whose lock keeps relations from being read: one that holds the exclusive lock of one
-- of them, else one that waits for it.
-- $1 bigint[] the relations' oids.
-- Returns one row or none: the relation's oid and name, pid (null: a prepared transaction), role
-- and application.
-- No locks.
select
    l.relation::bigint as relation,
    format('%I.%I', n.nspname, c.relname) as name,
    l.pid,
    a.usename::text as role_name,
    nullif(a.application_name, '') as application
from pg_catalog.pg_locks as l
inner join pg_catalog.pg_database as d on d.oid = l.database and d.datname = current_database()
inner join pg_catalog.pg_class as c on c.oid = l.relation
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
left join pg_catalog.pg_stat_activity as a on a.pid = l.pid
where l.locktype = 'relation'
    and l.mode = 'AccessExclusiveLock'
    and l.relation::bigint = any($1::bigint[])
    and l.pid is distinct from pg_backend_pid()
order by l.granted desc, c.relkind = 'v', l.relation, l.pid
limit 1

-- name: find_misplaced_users, long
-- Whether views over foreign tables compare users as this database does. Users are cut into ranges
-- in the order of this database, as cut_batches cuts them, but into 500 ranges at most; then the
-- rows of each range are read through the views, so that a foreign server that evaluates the
-- condition compares with its own collation. Returns the views that give a range other rows than
-- are in it by this database's order. One statement, so that changes meanwhile play no part.
-- $1 text[] names of the views with foreign tables.
-- No locks. Reads both user_id columns of these views twice.
with stored as materialized (
    -- Materialized, so that no foreign server sorts or compares.
    select 'stored_receipts' as view_name, user_id
    from reconcile.stored_receipts
    where user_id is not null
    union all
    select 'stored_entitlements', user_id
    from reconcile.stored_entitlements
    where user_id is not null
),
users as materialized (
    select user_id, row_number() over (order by user_id) - 1 as position, count(*) over () as total
    from (select distinct user_id from stored) as each_once
),
ranges as materialized (
    -- Of the default collation, like a parameter: only then is the condition sent to the server.
    select
        min(user_id) collate "default" as first_user,
        max(user_id) collate "default" as last_user
    from users
    group by position / greatest(least(200, greatest(100, total / 20)), total / 500)
),
found as materialized (
    select 'stored_receipts' as view_name, r.first_user, r.last_user, s.user_id
    from ranges as r
    cross join lateral (
        select user_id
        from reconcile.stored_receipts
        where user_id between r.first_user and r.last_user
        offset 0
    ) as s
    where 'stored_receipts' = any($1::text[])
    union all
    select 'stored_entitlements', r.first_user, r.last_user, s.user_id
    from ranges as r
    cross join lateral (
        select user_id
        from reconcile.stored_entitlements
        where user_id between r.first_user and r.last_user
        offset 0
    ) as s
    where 'stored_entitlements' = any($1::text[])
)
select view_name
from unnest($1::text[]) as asked (view_name)
where
    (select count(*) from stored as s where s.view_name = asked.view_name)
    <> (select count(*) from found as f where f.view_name = asked.view_name)
    or exists (
        select
        from found as f
        where f.view_name = asked.view_name
            and not f.user_id between f.first_user and f.last_user
    )
order by view_name

-- name: find_duplicate_receipt, long
-- One receipt_id that is in several rows of stored_receipts, if any.
-- No parameters. No locks. Reads the whole view once.
select receipt_id
from reconcile.stored_receipts
where receipt_id is not null
group by receipt_id
having count(*) > 1
order by receipt_id
limit 1

-- name: find_duplicate_entitlement, long
-- One entitlement_id that is in several rows of stored_entitlements, if any.
-- No parameters. No locks. Reads the whole view once.
select entitlement_id
from reconcile.stored_entitlements
where entitlement_id is not null
group by entitlement_id
having count(*) > 1
order by entitlement_id
limit 1

-- name: find_duplicate_product, long
-- One product_id that is in several rows of catalog_products, if any.
-- No parameters. No locks. Reads the whole view once.
select product_id
from reconcile.catalog_products
where product_id is not null
group by product_id
having count(*) > 1
order by product_id
limit 1

-- name: find_duplicate_app, long
-- One bundle_id that is in several rows of catalog_apps, if any.
-- No parameters. No locks. Reads the whole view once.
select bundle_id
from reconcile.catalog_apps
where bundle_id is not null
group by bundle_id
having count(*) > 1
order by bundle_id
limit 1

-- name: list_products, long
-- The catalogue of products. Durations as months, days and milliseconds, like PostgreSQL's
-- interval.
-- No parameters. No locks. Reads the whole view.
select
    product_id,
    kind,
    subscription_group_id,
    service_level,
    coalesce(isfinite(access_duration), true)
        and coalesce(isfinite(billing_period), true)
        and coalesce(list_price::text not in ('NaN', 'Infinity', '-Infinity'), true) as is_finite,
    access.months as access_months,
    access.days as access_days,
    access.milliseconds as access_milliseconds,
    billing.months as billing_months,
    billing.days as billing_days,
    billing.milliseconds as billing_milliseconds,
    list_price,
    currency
from reconcile.catalog_products
left join lateral (
    select
        (extract(year from access_duration) * 12 + extract(month from access_duration))::bigint
            as months,
        extract(day from access_duration)::bigint as days,
        (
            extract(hour from access_duration) * 3600000
            + extract(minute from access_duration) * 60000
            + trunc(extract(milliseconds from access_duration))
        )::bigint as milliseconds
    where isfinite(access_duration)
) as access on true
left join lateral (
    select
        (extract(year from billing_period) * 12 + extract(month from billing_period))::bigint
            as months,
        extract(day from billing_period)::bigint as days,
        (
            extract(hour from billing_period) * 3600000
            + extract(minute from billing_period) * 60000
            + trunc(extract(milliseconds from billing_period))
        )::bigint as milliseconds
    where isfinite(billing_period)
) as billing on true
order by product_id

-- name: list_apps, long
-- The catalogue of apps, with the columns of the paid → freemium rule.
-- No parameters. No locks. Reads the whole view.
select
    bundle_id,
    last_paid_version,
    paid_until,
    premium_product_id
from reconcile.catalog_apps
order by bundle_id

-- name: downloadable_products, long
-- The products with a download key for any receipt, or that share another product's key.
-- No parameters. No locks. Reads the whole view.
select distinct product_id
from reconcile.stored_download_keys
where product_id is not null

-- name: sample_receipts, long
-- Ten stored receipts, newest first. Texts over 32 MiB are cut.
-- No parameters. No locks. Reads two columns of the view completely.
select
    coalesce(bundle_id, '') as bundle_id,
    case
        when octet_length(receipt_data) <= 33554432 then receipt_data
        else left(receipt_data, 1000)
    end as receipt_data
from reconcile.stored_receipts
order by stored_at desc nulls last, receipt_id
limit 10

-- name: survey_receipts, long
-- Counts over the stored receipts: nulls and impossible dates.
-- No parameters. No locks. Scans the view, but no receipt data.
select
    count(*) as receipts,
    count(*) filter (where user_id is null) as without_user,
    count(*) filter (
        where receipt_id is null or bundle_id is null or stored_at is null
    ) as with_null,
    count(*) filter (
        where stored_at < timestamptz '2008-07-10' or stored_at > now() + interval '1 day'
    ) as with_odd_date,
    max(stored_at) filter (where isfinite(stored_at) and stored_at <= now()) as newest
from reconcile.stored_receipts

-- name: survey_entitlements, long
-- Counts over the stored entitlements: nulls, sources and impossible dates.
-- No parameters. No locks. Scans both views, but no receipt data.
select
    count(*) as entitlements,
    count(*) filter (where user_id is null) as without_user,
    count(*) filter (
        where entitlement_id is null
            or user_id is null
            or product_id is null
            or is_active is null
            or source is null
            or updated_at is null
    ) as with_null,
    count(*) filter (
        where expires_at < timestamptz '2008-07-10'
            or (expires_at > now() + interval '20 years' and isfinite(expires_at))
            or updated_at < timestamptz '2008-07-10'
            or updated_at > now() + interval '1 day'
    ) as with_odd_date,
    count(*) filter (where source = 'app_store') as of_app_store,
    count(*) filter (
        where source = 'app_store'
            and not exists (
                select
                from reconcile.catalog_products as p
                where p.product_id = e.product_id
            )
    ) as without_product,
    count(*) filter (
        where source = 'app_store'
            and is_active
            and not exists (
                select
                from reconcile.stored_receipts as r
                where r.user_id = e.user_id
            )
    ) as without_receipt,
    max(updated_at) filter (where isfinite(updated_at) and updated_at <= now()) as newest
from reconcile.stored_entitlements as e

-- name: survey_bundles, long
-- The number of receipts of each app, highest first.
-- No parameters. No locks. Reads one column of the view completely.
select bundle_id, count(*) as receipts
from reconcile.stored_receipts
where bundle_id is not null
group by bundle_id
order by count(*) desc, bundle_id
limit 100

-- name: survey_sources, long
-- The values of the column source, most frequent first.
-- No parameters. No locks. Reads one column of the view completely.
select coalesce(source, '') as source, count(*) as entitlements
from reconcile.stored_entitlements
group by source
order by count(*) desc, source
limit 10
