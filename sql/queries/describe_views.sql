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
