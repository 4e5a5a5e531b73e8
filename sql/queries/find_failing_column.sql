-- Fails as the first column of a view that cannot be read does, and names the column: PostgreSQL
-- does not say which one a value stands in. Else it does nothing.
-- No locks. Reads each column of the views whole. Asked for only after a failure.
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
                'select count(%I) from reconcile.%I', failing.column_name, failing.view_name
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
