-- A Rails service: receipts as text in base64 (config.active_record's usual names and timestamps,
-- which are `timestamp(6)` without a time zone, in UTC).
--
--   app_store_receipts (id bigint, user_id bigint, bundle_id varchar, receipt_data text,
--                       created_at timestamp)
--   subscriptions      (id bigint, user_id bigint, product_id varchar,
--                       original_transaction_id varchar, status varchar, expires_at timestamp,
--                       auto_renew boolean, platform varchar, updated_at timestamp)
--   products           (identifier varchar, kind varchar, group_name varchar, level int,
--                       period interval, price_cents int, currency varchar)
create or replace view reconcile.stored_receipts as
select
    id::text as receipt_id,
    user_id::text as user_id,
    bundle_id::text as bundle_id,
    receipt_data::text as receipt_data,
    created_at at time zone 'UTC' as stored_at
from public.app_store_receipts;

create or replace view reconcile.stored_entitlements as
select
    id::text as entitlement_id,
    user_id::text as user_id,
    product_id::text as product_id,
    original_transaction_id::text as original_transaction_id,
    status in ('active', 'grace_period') as is_active,
    expires_at at time zone 'UTC' as expires_at,
    auto_renew,
    null::text as ownership,
    case platform when 'ios' then 'app_store' else platform end::text as source,
    updated_at at time zone 'UTC' as updated_at
from public.subscriptions;

create or replace view reconcile.catalog_products as
select
    identifier::text as product_id,
    kind::text as kind,
    group_name::text as subscription_group_id,
    level as service_level,
    case when kind = 'non_renewing' then period end as access_duration,
    case when kind = 'auto_renewable' then period end as billing_period,
    price_cents / case
        -- The App Store's currencies without cents: their prices are whole numbers.
        when upper(currency) in ('CLP', 'JPY', 'KRW', 'VND') then 1.0
        else 100.0
    end as list_price,
    upper(currency)::text as currency
from public.products;

-- Only apps that turned from paid to free have rows here.
create or replace view reconcile.catalog_apps as
select
    null::text as bundle_id,
    null::text as last_paid_version,
    null::timestamptz as paid_until,
    null::text as premium_product_id
where false;

-- Only services that hand out download keys have rows here.
create or replace view reconcile.stored_download_keys as
select
    null::text as receipt_id,
    null::text as product_id,
    null::text as remote_product_id,
    null::text as download_key,
    null::timestamptz as expires_at
where false;
