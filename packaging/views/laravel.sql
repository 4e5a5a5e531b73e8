-- A Laravel service: receipts within a jsonb payload, as the app posted it. A member of jsonb is
-- read with ->>, which gives the text itself; ::text would keep JSON's quotation marks. Laravel's
-- timestamps are without a time zone, in the zone of config('app.timezone'), here UTC.
--
--   receipts      (id bigint, user_id bigint, payload jsonb, created_at timestamp)
--                 payload: {"bundle_id": "…", "receipt-data": "…"}
--   user_products (id bigint, user_id bigint, product varchar, original_transaction_id varchar,
--                  revoked_at timestamp, ends_at timestamp, store varchar, updated_at timestamp)
--   products      (code varchar, type varchar, days int, price numeric, currency varchar)
create or replace view reconcile.stored_receipts as
select
    id::text as receipt_id,
    user_id::text as user_id,
    payload ->> 'bundle_id' as bundle_id,
    payload ->> 'receipt-data' as receipt_data,
    created_at at time zone 'UTC' as stored_at
from public.receipts;

create or replace view reconcile.stored_entitlements as
select
    id::text as entitlement_id,
    user_id::text as user_id,
    product::text as product_id,
    original_transaction_id::text as original_transaction_id,
    revoked_at is null as is_active,
    ends_at at time zone 'UTC' as expires_at,
    null::boolean as auto_renew,
    null::text as ownership,
    case store when 'appstore' then 'app_store' else store end::text as source,
    updated_at at time zone 'UTC' as updated_at
from public.user_products;

create or replace view reconcile.catalog_products as
select
    code::text as product_id,
    type::text as kind,
    null::text as subscription_group_id,
    null::int as service_level,
    case when type = 'non_renewing' then make_interval(days => days) end as access_duration,
    case when type = 'auto_renewable' then make_interval(days => days) end as billing_period,
    price as list_price,
    currency::text as currency
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
