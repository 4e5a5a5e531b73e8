-- A Django service: receipts as bytea (BinaryField), which is the receipt itself and not base64;
-- DateTimeField is `timestamptz`, keys are uuid.
--
--   billing_receipt     (id uuid, account_id uuid, bundle varchar, data bytea,
--                        created timestamptz)
--   billing_entitlement (id uuid, account_id uuid, sku varchar, transaction_id varchar,
--                        is_active boolean, valid_until timestamptz, renews boolean,
--                        family_shared boolean, provider varchar, modified timestamptz)
--   billing_product     (sku varchar, type varchar, family varchar, rank int, months int,
--                        price numeric, currency varchar)
create or replace view reconcile.stored_receipts as
select
    id::text as receipt_id,
    account_id::text as user_id,
    bundle::text as bundle_id,
    encode(data, 'base64') as receipt_data,
    created as stored_at
from public.billing_receipt;

create or replace view reconcile.stored_entitlements as
select
    id::text as entitlement_id,
    account_id::text as user_id,
    sku::text as product_id,
    transaction_id::text as original_transaction_id,
    is_active,
    valid_until as expires_at,
    renews as auto_renew,
    case when family_shared then 'FAMILY_SHARED' else 'PURCHASED' end as ownership,
    case provider when 'apple' then 'app_store' else provider end::text as source,
    modified as updated_at
from public.billing_entitlement;

create or replace view reconcile.catalog_products as
select
    sku::text as product_id,
    type::text as kind,
    family::text as subscription_group_id,
    rank as service_level,
    case when type = 'non_renewing' then make_interval(months => months) end as access_duration,
    case when type = 'auto_renewable' then make_interval(months => months) end as billing_period,
    price as list_price,
    currency::text as currency
from public.billing_product;

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
