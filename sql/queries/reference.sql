-- The reference app, which `demo` and tests fill.

-- name: compare_reference_app
-- Compares the tables of schema app with reference_app.sql, so that other tables of these names are
-- not emptied. Returns one row per column that is missing, extra or of another type; has_tables
-- says whether any of the tables exists.
-- No parameters. No locks.
with expected (table_name, column_name, type_name) as (
    values
        ('apps', 'bundle_id', 'text'),
        ('apps', 'last_paid_version', 'text'),
        ('apps', 'paid_until', 'timestamp with time zone'),
        ('apps', 'premium_product_id', 'text'),
        ('products', 'product_id', 'text'),
        ('products', 'kind', 'text'),
        ('products', 'subscription_group_id', 'text'),
        ('products', 'service_level', 'integer'),
        ('products', 'access_duration', 'interval'),
        ('products', 'billing_period', 'interval'),
        ('products', 'list_price', 'numeric'),
        ('products', 'currency', 'text'),
        ('receipts', 'receipt_id', 'text'),
        ('receipts', 'user_id', 'text'),
        ('receipts', 'bundle_id', 'text'),
        ('receipts', 'receipt_data', 'text'),
        ('receipts', 'stored_at', 'timestamp with time zone'),
        ('receipts', 'receipt_sha256', 'bytea'),
        ('receipts', 'environment', 'text'),
        ('receipts', 'validated_at', 'timestamp with time zone'),
        ('receipts', 'valid_until', 'timestamp with time zone'),
        ('receipts', 'validated_run_no', 'bigint'),
        ('receipts', 'refund_references', 'text[]'),
        ('receipts', 'content_sha256', 'bytea'),
        ('receipts', 'is_variant', 'boolean'),
        ('assets', 'asset_id', 'text'),
        ('assets', 'remote_product_id', 'text'),
        ('assets', 'product_key', 'text'),
        ('product_assets', 'product_id', 'text'),
        ('product_assets', 'asset_id', 'text'),
        ('product_assets', 'tier', 'integer'),
        ('receipt_products', 'receipt_id', 'text'),
        ('receipt_products', 'product_id', 'text'),
        ('receipt_products', 'asset_id', 'text'),
        ('receipt_products', 'remote_product_id', 'text'),
        ('receipt_products', 'is_unlocked', 'boolean'),
        ('receipt_products', 'right_ends_at', 'timestamp with time zone'),
        ('receipt_products', 'run_no', 'bigint'),
        ('receipt_products', 'refund_references', 'text[]'),
        ('receipt_products', 'download_key', 'text'),
        ('receipt_products', 'expires_at', 'timestamp with time zone'),
        ('receipt_products', 'key_id', 'text'),
        ('entitlements', 'entitlement_id', 'text'),
        ('entitlements', 'user_id', 'text'),
        ('entitlements', 'product_id', 'text'),
        ('entitlements', 'original_transaction_id', 'text'),
        ('entitlements', 'is_active', 'boolean'),
        ('entitlements', 'expires_at', 'timestamp with time zone'),
        ('entitlements', 'auto_renew', 'boolean'),
        ('entitlements', 'ownership', 'text'),
        ('entitlements', 'source', 'text'),
        ('entitlements', 'updated_at', 'timestamp with time zone')
),

found (table_name, column_name, type_name) as (
    select c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod)
    from pg_catalog.pg_class as c
    inner join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    inner join pg_catalog.pg_attribute as a
        on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname = 'app'
        and c.relname in (
            'apps', 'products', 'receipts', 'entitlements', 'assets', 'product_assets',
            'receipt_products'
        )
        and c.relkind in ('r', 'p')
)

select
    'app.' || table_name || '.' || column_name as column_path,
    f.type_name as found_type,
    e.type_name as expected_type,
    exists (select from found) as has_tables
from expected as e
full outer join found as f using (table_name, column_name)
where e.type_name is distinct from f.type_name
order by column_path

-- name: empty_reference_app
-- Deletes all rows of the reference app, before it is filled again in the same transaction. Not
-- `truncate`, which fails on a referenced table or, with cascade, empties the referencing ones.
-- No parameters. Locks: the rows, until the end of the transaction.
with keys as (
    delete from app.receipt_products
),

links as (
    delete from app.product_assets
),

assets as (
    delete from app.assets
),

receipts as (
    delete from app.receipts
),

entitlements as (
    delete from app.entitlements
),

products as (
    delete from app.products
)

delete from app.apps

-- name: copy_reference_rows
-- Copies rows to a table of the reference app, in COPY's text format. {table} and {columns} are
-- those of a ReferenceTable.
-- No parameters. Locks: the new rows.
copy app.{table} ({columns})
from stdin

-- name: analyze_reference_app
-- Updates the planner statistics of the filled tables.
-- No parameters. Locks: none that block readers or writers.
analyze app.receipts, app.entitlements, app.receipt_products
