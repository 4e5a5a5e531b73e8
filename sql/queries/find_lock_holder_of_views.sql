-- The session whose lock keeps views from being read: one that holds the exclusive lock of a
-- relation below them, else one that waits for it.
-- $1 text[] names of the views.
-- Returns one row or none: the view, the relation, pid (null: a prepared transaction), role and
-- application.
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
    format('%I.%I', n.nspname, c.relname) as relation,
    l.pid,
    a.usename::text as role_name,
    nullif(a.application_name, '') as application
from walk as w
inner join pg_catalog.pg_locks as l
    on l.locktype = 'relation' and l.mode = 'AccessExclusiveLock' and l.relation = w.relation
    and l.pid is distinct from pg_backend_pid()
inner join pg_catalog.pg_database as d on d.oid = l.database and d.datname = current_database()
inner join pg_catalog.pg_class as c on c.oid = w.relation
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
left join pg_catalog.pg_stat_activity as a on a.pid = l.pid
order by l.granted desc, c.relkind = 'v', w.view_name, l.pid
limit 1
