-- Copies products into the reference app, in COPY's text format.
-- No parameters. Locks: the new rows.
copy app.products (
    product_id,
    kind,
    subscription_group_id,
    service_level,
    access_duration,
    billing_period,
    list_price,
    currency
)
from stdin
