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
