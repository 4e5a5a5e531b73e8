-- Counts over the stored receipts: nulls and impossible dates.
-- No parameters. No locks. Scans the view, but no receipt data.
select
    count(*) as receipts,
    count(*) filter (where user_id is null) as without_user,
    count(*) filter (
        where receipt_id is null or bundle_id is null or stored_at is null
    ) as with_null,
    count(*) filter (
        where stored_at < timestamptz '2008-07-10' or stored_at > now() + interval '1 day'
    ) as with_odd_date,
    max(stored_at) filter (where isfinite(stored_at) and stored_at <= now()) as newest
from reconcile.stored_receipts
