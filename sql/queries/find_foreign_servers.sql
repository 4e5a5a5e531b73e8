-- The foreign servers beneath views: behind nested views, materialized views and partitions.
-- $1 text[] names of the views.
-- Returns server_name, sorted.
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
    select c.oid as relation
    from pg_catalog.pg_class as c
    inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = 'reconcile' and c.relname = any($1::text[])
    union
    select e.used
    from walk as w
    inner join edges as e on e.reader = w.relation
)
select distinct s.srvname::text as server_name
from walk as w
inner join pg_catalog.pg_foreign_table as t on t.ftrelid = w.relation
inner join pg_catalog.pg_foreign_server as s on s.oid = t.ftserver
order by server_name
