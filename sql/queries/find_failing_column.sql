-- Fails with the name of the first column of a view that cannot be read, since PostgreSQL does not
-- name it. Otherwise does nothing. Runs only after a failure.
-- No parameters. No locks. Reads each column of the views completely, as the text that a client
-- gets: convert_to checks the bytes, and makes the server of a foreign table send them.
do $$
declare
    failing record;
begin
    for failing in
        select
            c.relname::text as view_name,
            a.attname::text as column_name
        from pg_catalog.pg_class as c
        inner join pg_catalog.pg_attribute as a on a.attrelid = c.oid
        where c.relnamespace = 'reconcile'::regnamespace
            and c.relname in (
                'stored_receipts', 'stored_entitlements', 'catalog_products', 'catalog_apps',
                'stored_download_keys'
            )
            and a.attnum > 0
            and not a.attisdropped
        order by c.relname, a.attnum
    loop
        begin
            execute format(
                $sql$ select count(convert_to(%I::text, 'UTF8')) from reconcile.%I $sql$,
                failing.column_name, failing.view_name
            );
        exception
            when others then
                raise exception using
                    errcode = sqlstate,
                    message = sqlerrm,
                    table = failing.view_name,
                    column = failing.column_name;
        end;
    end loop;
end
$$
