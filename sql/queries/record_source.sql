-- Stores the source figures of a run over everything when it begins or is resumed, for its guards.
-- Ignores future dates, which do not prove that rows are fresh. Does not count rows without a
-- user.
-- $1 text run_id. Locks: the new rows. Scans columns of both views, but no receipt data.
with run as (
    select greatest(as_of, now()) as latest
    from reconcile.run
    where run_id = $1
),
receipts as (
    select
        bundle_id,
        count(*) filter (where user_id is not null) as rows_found,
        max(stored_at) filter (where isfinite(stored_at) and stored_at <= run.latest) as newest
    from reconcile.stored_receipts
    cross join run
    group by bundle_id
),
entitlements as (
    select
        source,
        count(*) filter (where user_id is not null) as rows_found,
        max(updated_at) filter (where isfinite(updated_at) and updated_at <= run.latest) as newest
    from reconcile.stored_entitlements
    cross join run
    group by source
),
newest as (
    select max(newest) as changed_at
    from (select newest from receipts union all select newest from entitlements) as both_views
)
insert into reconcile.run_figure (run_id, name, subject, value)
select $1, 'receipts', '', coalesce(sum(rows_found), 0) from receipts
union all
select $1, 'entitlements', '', coalesce(sum(rows_found), 0) from entitlements
union all
select $1, 'app_store_rows', '', coalesce(sum(rows_found), 0)
from entitlements
where source = 'app_store'
union all
select $1, 'newest_change', '', floor(extract(epoch from changed_at) * 1000)
from newest
where changed_at is not null
union all
(
    select $1, 'receipts_of_bundle', bundle_id, rows_found
    from receipts
    where bundle_id is not null and rows_found > 0
    order by rows_found desc
    limit 1000
)
on conflict (run_id, name, md5(subject)) do update set value = excluded.value
