-- By which rights the session could change what the team's views show.
--
-- A right to write in a view says nothing of the tables beneath, so the views are walked: through
-- nested and materialized views, partitions and children with their parents, foreign tables, and
-- functions whose body PostgreSQL has parsed. Who writes is a role that the session is or could
-- become; or, through a view in which such a role may write, the owner of that view.
-- $1 text[] names of the views. Returns the role that has the rights; the relation or function,
-- null for a role that may do it anywhere; its rights (superuser, createrole or server for such a
-- role), none for a function that hides what it reads; and the view through which an owner's rights
-- are lent, or null.
-- No locks. Reads the catalogue's dependencies whole: milliseconds.
with recursive roles as (
    -- Of a superuser, who could become anybody, itself will do.
    select r.oid, r.rolname, r.rolsuper, r.rolcreaterole
    from pg_catalog.pg_roles as r
    where r.rolname = session_user
        or (
            pg_has_role(session_user, r.oid, 'member')
            and not (select rolsuper from pg_catalog.pg_roles where rolname = session_user)
        )
),
edges as (
    -- What a view reads is what its rule depends on.
    select
        'pg_class'::regclass as above_class, rule.ev_class as above,
        d.refclassid as beneath_class, d.refobjid as beneath
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
    -- A parent shows its children's rows; and who may write in a parent writes in its children.
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
    select e.beneath_class, e.beneath, false, w.writer, w.through
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
    inner join edges as e on e.above_class = w.class and e.above = w.object
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
        -- The two views are the job's own. To write in one takes what is beneath it, which is
        -- looked at by itself, or a trigger or a rule of its own, which may do anything.
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
    -- Of several ways to one relation the plainest.
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
    -- The body of a function begin atomic … end; no such column before PostgreSQL 14.
    and to_jsonb(p) ->> 'prosqlbody' is null
order by name nulls first
