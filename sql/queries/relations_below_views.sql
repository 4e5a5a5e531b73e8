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
