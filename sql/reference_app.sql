-- Creates schema app (the tables of a small receipt service) and the five views over it, for the
-- demo, for tests and as a starting point. `migrate --with-reference-app` runs it. Safe to repeat.
-- Locks: the objects it creates. The program holds the migration lock.
create schema if not exists app;

create table if not exists app.apps (
    bundle_id text primary key,
    last_paid_version text,
    paid_until timestamptz,
    premium_product_id text
);
comment on table app.apps is
    'The team''s apps; the last three columns for those that turned from paid to free.';

create table if not exists app.products (
    product_id text primary key,
    kind text not null
        check (kind in ('auto_renewable', 'non_renewing', 'non_consumable', 'consumable')),
    subscription_group_id text,
    service_level int check (service_level > 0),
    access_duration interval check (access_duration is null or kind = 'non_renewing'),
    billing_period interval,
    list_price numeric check (list_price >= 0),
    currency text check (currency ~ '^[A-Z]{3}$')
);
comment on column app.products.service_level is '1 is the highest.';

create table if not exists app.receipts (
    receipt_id text primary key,
    user_id text not null,
    bundle_id text not null,
    receipt_data text not null,
    stored_at timestamptz not null
);
comment on column app.receipts.receipt_data is 'Base64, as the client sent it.';
create index if not exists receipts_user on app.receipts (user_id);

-- Columns of receipts that the receipt validation service stored; null in other rows.
alter table app.receipts
add column if not exists receipt_sha256 bytea,
add column if not exists environment text check (environment in ('Production', 'Sandbox')),
add column if not exists validated_at timestamptz,
add column if not exists valid_until timestamptz,
add column if not exists validated_run_no bigint,
add column if not exists refund_references text[],
add column if not exists content_sha256 bytea,
add column if not exists is_variant boolean;
comment on column app.receipts.receipt_sha256 is
    'SHA-256 of the decoded receipt. Identifies the receipt to the service.';
comment on column app.receipts.validated_at is
    'When Apple last verified it. Null in rows that only record that another user sent it too.';
comment on column app.receipts.validated_run_no is
    'The newest published run at validated_at. Refunds that later runs record revoke keys.';
comment on column app.receipts.refund_references is
    'The values that refunds of its transactions would have in reconcile.ledger.reference.';
comment on column app.receipts.content_sha256 is
    'SHA-256 of what Apple signed in it. Null where the signature was not known as Apple''s.';
comment on column app.receipts.is_variant is
    'Whether it is not, or may not be, as Apple wrote it. Null without content_sha256.';
create index if not exists receipts_digest on app.receipts (receipt_sha256)
where receipt_sha256 is not null;
create index if not exists receipts_content on app.receipts (content_sha256)
where content_sha256 is not null;

create table if not exists app.assets (
    asset_id text primary key,
    remote_product_id text not null unique,
    product_key text not null unique
);
comment on table app.assets is 'Files that customers may download.';
comment on column app.assets.remote_product_id is 'The name that the app uses.';
comment on column app.assets.product_key is
    'The name that a download key opens, for the file server.';

create table if not exists app.product_assets (
    product_id text not null references app.products,
    asset_id text not null references app.assets,
    tier int not null default 1 check (tier between 1 and 3),
    primary key (product_id, asset_id)
);
comment on table app.product_assets is
    'The assets of each product. A bundle has several; products of several prices may share one.';
create index if not exists product_assets_asset on app.product_assets (asset_id);

create table if not exists app.receipt_products (
    receipt_id text not null references app.receipts on delete cascade,
    product_id text not null,
    asset_id text not null references app.assets on delete cascade,
    remote_product_id text not null,
    is_unlocked boolean not null,
    right_ends_at timestamptz,
    run_no bigint not null default 0,
    refund_references text[] not null default '{}',
    download_key text,
    expires_at timestamptz,
    key_id text,
    primary key (receipt_id, product_id, asset_id)
) with (fillfactor = 50);
comment on table app.receipt_products is
    'The products that each receipt unlocks, and the newest download key of each asset.';
comment on column app.receipt_products.is_unlocked is
    'False when the receipt no longer unlocks the product but one of its keys is still valid.';
comment on column app.receipt_products.download_key is
    'Null where another product of the receipt unlocks the same asset and holds the key.';
comment on column app.receipt_products.expires_at is
    'When the asset''s newest key expires. Null: no key was issued yet.';
create index if not exists receipt_products_asset on app.receipt_products (asset_id);

create table if not exists app.entitlements (
    entitlement_id text primary key,
    user_id text not null,
    product_id text not null,
    original_transaction_id text,
    is_active boolean not null,
    expires_at timestamptz,
    auto_renew boolean,
    ownership text check (ownership in ('PURCHASED', 'FAMILY_SHARED')),
    source text not null,
    updated_at timestamptz not null
);
comment on table app.entitlements is 'The products that the service grants its users.';
create index if not exists entitlements_user on app.entitlements (user_id);

create or replace view reconcile.stored_receipts as
select receipt_id, user_id, bundle_id, receipt_data, stored_at
from app.receipts;

create or replace view reconcile.stored_entitlements as
select
    entitlement_id, user_id, product_id, original_transaction_id, is_active, expires_at,
    auto_renew, ownership, source, updated_at
from app.entitlements;

create or replace view reconcile.catalog_products as
select
    product_id, kind, subscription_group_id, service_level, access_duration, billing_period,
    list_price, currency
from app.products;

create or replace view reconcile.catalog_apps as
select bundle_id, last_paid_version, paid_until, premium_product_id
from app.apps;

create or replace view reconcile.stored_download_keys as
select receipt_id, product_id, remote_product_id, download_key, expires_at
from app.receipt_products
where expires_at is not null;

-- Repeats grants of sql/roles.sql, which may have run before these tables existed.
do $$
begin
    if exists (select from pg_catalog.pg_roles where rolname = 'reconcile_service') then
        grant usage on schema app to reconcile_service;
        grant select, insert, update on app.receipts to reconcile_service;
        grant select, insert, update, delete on app.receipt_products to reconcile_service;
        grant select on app.assets, app.product_assets to reconcile_service;
        grant select
        on reconcile.catalog_products, reconcile.catalog_apps
        to reconcile_service;
    end if;
end
$$;
