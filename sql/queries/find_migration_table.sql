-- Whether any migration was ever applied. Asks the catalogue, which needs no right on the schema.
-- No parameters, no locks.
select exists (
    select
    from pg_catalog.pg_class as c
    inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = 'reconcile' and c.relname = 'migration'
) as is_there
