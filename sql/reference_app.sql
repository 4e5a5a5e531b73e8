-- Schema app: the tables of a small receipt service, and the five views over them. For the demo,
-- for tests, and for a team that begins from nothing; `migrate --with-reference-app` runs it.
-- May run again. Locks: only what it creates. The program holds the migration lock.
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
comment on table app.entitlements is 'What the service lets its users use.';
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

-- The service hands out no download keys yet.
create or replace view reconcile.stored_download_keys as
select
    null::text as receipt_id, null::text as product_id, null::text as remote_product_id,
    null::text as download_key, null::timestamptz as expires_at
where false;
