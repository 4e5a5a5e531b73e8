-- The schema: migrations and privileges.

-- name: lock_migrations
-- Waits until no other `migrate` runs: `if not exists` alone is not safe for two at once.
-- No parameters. Locks: one advisory lock until the end of the transaction.
select pg_advisory_xact_lock(7387, 1)

-- name: find_migration_table
-- Whether any migration was ever applied. Reads the catalogue, which needs no privilege on the
-- schema.
-- No parameters. No locks.
select exists (
    select
    from pg_catalog.pg_class as c
    inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = 'reconcile' and c.relname = 'migration'
) as is_there

-- name: compare_migrations
-- Compares the program's migrations with the applied ones.
-- {given} are those of a Migration. No locks. Primary key.
select
    coalesce(given.version, applied.version) as version,
    coalesce(applied.name, given.name) as name,
    case
        when applied.version is null then 'pending'
        when given.version is null then 'newer'
        when applied.sha256 <> sha256(given.body) then 'changed'
        else 'applied'
    end as state
from {given}
full join reconcile.migration as applied on applied.version = given.version
order by version

-- name: record_migration
-- Records an applied migration.
-- {columns} and {values} are those of a Migration; {body} bytea. Locks: its own row.
insert into reconcile.migration ({columns}, sha256)
values ({values}, sha256({body}::bytea))

-- name: find_missing_privileges
-- The privileges that the role lacks to read the team's views, and to read and write the job's own
-- tables. Skips missing relations, which other checks report. Returns privilege and relation, by
-- relation.
-- $1 text[] names of the views. No locks.
with needed as (
    select relation, 'select' as privilege
    from unnest($1::text[]) as listed (relation)
    union all
    select relation, unnest(privileges)
    from reconcile.privilege
    where role_name = 'reconcile_job'
)
select needed.privilege, format('%I.%I', n.nspname, c.relname) as relation
from needed
inner join pg_catalog.pg_class as c on c.relname = needed.relation
inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace and n.nspname = 'reconcile'
where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not (
        has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, needed.privilege)
    )
order by needed.relation collate "C", needed.privilege collate "C"

-- name: find_writable_relations
-- The privileges by which the session could change the data behind the team's views.
--
-- Privileges on a view say nothing about its tables, so the views' dependencies are followed:
-- nested and materialized views, partitions, parents and children, foreign tables, and functions
-- whose body PostgreSQL has parsed. The session writes as each role that it is or can become and,
-- through a view that such a role may write, as the owner of that view.
-- $1 text[] names of the views.
-- Returns the role; the relation or function, null for a role that may change anything; the
-- privileges (superuser, createrole or server for such a role), null for a function that hides its
-- relations; and the view whose owner's privileges apply, or null.
-- No locks. Reads the dependencies in the catalogue completely: milliseconds.
with recursive roles as (
    -- A superuser can become any role: one row is enough.
    select r.oid, r.rolname, r.rolsuper, r.rolcreaterole
    from pg_catalog.pg_roles as r
    where r.rolname = session_user
        or (
            pg_has_role(session_user, r.oid, 'member')
            and not (select rolsuper from pg_catalog.pg_roles where rolname = session_user)
        )
),
edges as (
    -- The relations that a view reads are the dependencies of its rule.
    select
        'pg_class'::regclass as reader_class, rule.ev_class as reader_object,
        d.refclassid as used_class, d.refobjid as used_object
    from pg_catalog.pg_rewrite as rule
    inner join pg_catalog.pg_depend as d
        on d.classid = 'pg_rewrite'::regclass and d.objid = rule.oid
        and d.refclassid in ('pg_class'::regclass, 'pg_proc'::regclass)
    where rule.ev_type = '1' and d.refobjid <> rule.ev_class
    union
    select d.classid, d.objid, d.refclassid, d.refobjid
    from pg_catalog.pg_depend as d
    where d.classid = 'pg_proc'::regclass
        and d.refclassid in ('pg_class'::regclass, 'pg_proc'::regclass)
    union
    -- A parent returns its children's rows, and a writer of the parent writes to its children.
    select 'pg_class'::regclass, inhparent, 'pg_class'::regclass, inhrelid
    from pg_catalog.pg_inherits
    union
    select 'pg_class'::regclass, inhrelid, 'pg_class'::regclass, inhparent
    from pg_catalog.pg_inherits
),
walk as (
    select
        'pg_class'::regclass::oid as class, c.oid as object, true as is_top, r.oid as writer,
        null::oid as through
    from pg_catalog.pg_class as c
    inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    cross join roles as r
    where n.nspname = 'reconcile' and c.relname = any($1::text[])
    union
    select e.used_class, e.used_object, false, w.writer, w.through
    from (
        select w.class, w.object, acting.writer, acting.through
        from walk as w
        cross join lateral (
            select w.writer, w.through
            union all
            select v.relowner, coalesce(w.through, v.oid)
            from pg_catalog.pg_class as v
            where w.class = 'pg_class'::regclass and v.oid = w.object and v.relkind = 'v'
                and (
                    has_table_privilege(w.writer, v.oid, 'insert, update, delete')
                    or has_any_column_privilege(w.writer, v.oid, 'insert, update')
                )
                and not exists (
                    select from pg_options_to_table(v.reloptions)
                    where option_name = 'security_invoker' and option_value::boolean
                )
        ) as acting
    ) as w
    inner join edges as e on e.reader_class = w.class and e.reader_object = w.object
),
relations as (
    select distinct on (c.oid)
        w.writer, w.through, format('%I.%I', n.nspname, c.relname) as name, rights.held
    from walk as w
    inner join pg_catalog.pg_class as c on w.class = 'pg_class'::regclass and c.oid = w.object
    inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    cross join lateral (
        select
            array_remove(
                array[
                    case
                        when has_table_privilege(w.writer, c.oid, 'insert')
                            or has_any_column_privilege(w.writer, c.oid, 'insert') then 'insert'
                    end,
                    case
                        when has_table_privilege(w.writer, c.oid, 'update')
                            or has_any_column_privilege(w.writer, c.oid, 'update') then 'update'
                    end,
                    case when has_table_privilege(w.writer, c.oid, 'delete') then 'delete' end,
                    case when has_table_privilege(w.writer, c.oid, 'truncate') then 'truncate' end,
                    case when has_table_privilege(w.writer, c.oid, 'trigger') then 'trigger' end,
                    case when c.relowner = w.writer then 'own' end
                ],
                null
            ) as held
    ) as rights
    where c.relkind in ('r', 'p', 'v', 'm', 'f')
        and cardinality(rights.held) > 0
        -- Writing to the views in $1 needs privileges on their relations, which are checked
        -- separately, unless the view has a trigger or rule, which may do anything.
        and (
            not w.is_top
            or c.relkind not in ('v', 'm')
            or (
                not rights.held <@ array['own']
                and (
                    exists (
                        select from pg_catalog.pg_trigger as t
                        where t.tgrelid = c.oid and not t.tgisinternal
                    )
                    or exists (
                        select from pg_catalog.pg_rewrite as rule
                        where rule.ev_class = c.oid and rule.ev_type <> '1'
                    )
                )
            )
        )
    -- Of several paths to one relation, the most direct one.
    order by
        c.oid, w.through nulls first, pg_get_userbyid(w.writer) <> session_user,
        cardinality(rights.held) desc, w.writer
)
select
    r.rolname as role_name,
    null as name,
    case when r.rolsuper then 'superuser' when r.rolcreaterole then 'createrole' else 'server' end
        as held,
    null as through
from roles as r
where r.rolsuper
    or r.rolcreaterole
    or r.rolname in (
        'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'
    )
union all
select coalesce(r.rolname, ''), found.name, array_to_string(found.held, ' '), v.relname
from relations as found
left join pg_catalog.pg_roles as r on r.oid = found.writer
left join pg_catalog.pg_class as v on v.oid = found.through
union all
select distinct session_user, format('%I.%I', n.nspname, p.proname), null, null
from walk as w
inner join pg_catalog.pg_proc as p on w.class = 'pg_proc'::regclass and p.oid = w.object
inner join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
inner join pg_catalog.pg_language as l on l.oid = p.prolang
where (l.lanname not in ('internal', 'c') or p.proretset)
    -- The body of a `begin atomic … end` function. The column does not exist before PostgreSQL 14.
    and to_jsonb(p) ->> 'prosqlbody' is null
order by name nulls first

-- name: describe_server
-- The server's version, encoding and clock, and whether the session may write.
-- No parameters. No locks.
select
    current_setting('server_version') as version,
    current_setting('server_version_num')::int as version_number,
    current_setting('server_encoding') as encoding,
    pg_is_in_recovery() as is_standby,
    current_setting('transaction_read_only')::boolean as is_read_only,
    clock_timestamp() as server_time
