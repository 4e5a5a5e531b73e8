-- Whether any migration was ever applied. Reads the catalogue, which needs no privilege on the
-- schema.
-- No parameters. No locks.
select exists (
    select
    from pg_catalog.pg_class as c
    inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = 'reconcile' and c.relname = 'migration'
) as is_there
