-- Creates roles with minimal privileges and without a login:
-- * reconcile_job runs the nightly job;
-- * reconcile_service runs the receipt validation service;
-- * reconcile_reader reads results (explain, runs, diff, report, verify);
-- * reconcile_evidence also reads Apple's answers;
-- * reconcile_receipts reads what export-receipts writes: receipts that Apple has signed.
-- Grant them to accounts: `grant reconcile_job to nightly;`
--
-- `reconcile-job migrate --roles apply` runs this file in one transaction as the owner of schema
-- reconcile; `--roles print` prints it. Safe to repeat, before or after the five views and the
-- migrations exist: default privileges grant select on views that this owner creates later, and
-- `reconcile-job migrate` grants privileges on the tables it creates. Default privileges cannot
-- tell views from tables and so grant select only: write privileges on a simple view would be write
-- privileges on the team's tables.

do $$
begin
    if not exists (select from pg_catalog.pg_roles where rolname = 'reconcile_job') then
        create role reconcile_job nologin;
    end if;
exception
    -- Another session created the role in the meantime: roles belong to the whole cluster.
    when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
    if not exists (select from pg_catalog.pg_roles where rolname = 'reconcile_service') then
        create role reconcile_service nologin;
    end if;
exception
    when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
    if not exists (select from pg_catalog.pg_roles where rolname = 'reconcile_reader') then
        create role reconcile_reader nologin;
    end if;
exception
    when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
    if not exists (select from pg_catalog.pg_roles where rolname = 'reconcile_evidence') then
        create role reconcile_evidence nologin;
    end if;
exception
    when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
    if not exists (select from pg_catalog.pg_roles where rolname = 'reconcile_receipts') then
        create role reconcile_receipts nologin;
    end if;
exception
    when duplicate_object or unique_violation then null;
end
$$;

do $$
begin
    if not exists (select from pg_catalog.pg_namespace where nspname = 'reconcile') then
        create schema reconcile;
    end if;
end
$$;

grant usage on schema reconcile
to reconcile_job, reconcile_service, reconcile_reader, reconcile_evidence, reconcile_receipts;

-- A grant by a role that may not grant the privilege is only a warning in PostgreSQL.
do $$
begin
    if not has_schema_privilege('reconcile_job', 'reconcile', 'usage') then
        raise insufficient_privilege
            using message = 'no privilege to grant usage on schema reconcile';
    end if;
end
$$;

alter default privileges in schema reconcile grant select on tables to reconcile_job;

-- The five views, which the job only reads.
do $$
declare
    relation record;
begin
    for relation in
        select
            c.oid,
            c.relname
        from pg_catalog.pg_class as c
        where c.relnamespace = 'reconcile'::regnamespace
            and c.relname in (
                'stored_receipts', 'stored_entitlements', 'catalog_products', 'catalog_apps',
                'stored_download_keys'
            )
            and c.relkind in ('r', 'p', 'v', 'm', 'f')
        order by c.relname
    loop
        execute format('grant select on reconcile.%I to reconcile_job', relation.relname);
        if not has_table_privilege('reconcile_job', relation.oid, 'select') then
            raise insufficient_privilege using
                message = format('no privilege to grant on reconcile.%I', relation.relname);
        end if;
    end loop;
end
$$;

-- The service reads the catalogue, and writes the receipts and download keys of schema app.
do $$
declare
    needed record;
begin
    for needed in
        select
            format('%I.%I', n.nspname, c.relname) as relation,
            listed.privileges
        from (
            values
                ('reconcile', 'catalog_products', 'select'),
                ('reconcile', 'catalog_apps', 'select'),
                ('app', 'receipts', 'select, insert, update'),
                ('app', 'receipt_products', 'select, insert, update, delete'),
                ('app', 'assets', 'select'),
                ('app', 'product_assets', 'select')
        ) as listed (schema_name, relation_name, privileges)
        inner join pg_catalog.pg_namespace as n on n.nspname = listed.schema_name
        inner join pg_catalog.pg_class as c
            on c.relnamespace = n.oid and c.relname = listed.relation_name
        where c.relkind in ('r', 'p', 'v', 'm', 'f')
            -- Only the reference app has this table. Nothing is granted on another service's schema
            -- app.
            and (n.nspname = 'reconcile' or to_regclass('app.receipt_products') is not null)
        order by relation
    loop
        execute format('grant %s on %s to reconcile_service', needed.privileges, needed.relation);
    end loop;
    if to_regclass('app.receipt_products') is not null then
        grant usage on schema app to reconcile_service;
    end if;
end
$$;

-- name: grant_own_tables
-- Grants the roles that exist their privileges on the job's own tables. The migrations list them in
-- reconcile.privilege, and `migrate` runs this part of the file after the last one.
-- No parameters. Locks: the tables, briefly.
do $$
declare
    needed record;
begin
    if to_regclass('reconcile.privilege') is null then
        return;
    end if;
    for needed in
        select
            c.oid,
            p.relation,
            p.role_name,
            p.columns,
            unnest(p.privileges) as privilege
        from reconcile.privilege as p
        inner join pg_catalog.pg_class as c
            on c.relname = p.relation and c.relnamespace = 'reconcile'::regnamespace
        inner join pg_catalog.pg_roles as r on r.rolname = p.role_name
        order by p.relation collate "C", p.role_name collate "C"
    loop
        execute format('grant usage on schema reconcile to %I', needed.role_name);
        execute format(
            'grant %s%s on reconcile.%I to %I',
            needed.privilege,
            (
                select '(' || string_agg(quote_ident(named), ', ') || ')'
                from unnest(needed.columns) as named
            ),
            needed.relation,
            needed.role_name
        );
        -- A grant by a role that may not grant the privilege is only a warning.
        if not (
            case when needed.columns is null
                then has_table_privilege(needed.role_name, needed.oid, needed.privilege)
                else has_any_column_privilege(needed.role_name, needed.oid, needed.privilege)
            end
        )
        then
            raise insufficient_privilege using
                message = format('no privilege to grant on reconcile.%I', needed.relation);
        end if;
    end loop;
end
$$;
