-- What a run is held for.

-- name: record_source, long
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

-- name: record_result, long
-- Stores the result figures of a run over everything, for its guards and those of later runs.
-- $1 text run_id. Locks: the rows. Index user_result_batch, primary key of the findings.
insert into reconcile.run_figure (run_id, name, subject, value)
select $1, figures.name, '', figures.value
from (
    select
        coalesce(sum(receipts_in_scope), 0) as receipts,
        coalesce(sum(entitlements_in_scope), 0) as entitlements,
        coalesce(sum(receipts_unusable), 0) as unusable,
        coalesce(sum(entitlements_not_judged), 0) as not_judged
    from reconcile.user_result
    -- Rows without a user are in no share.
    where run_no = (select run_no from reconcile.run where run_id = $1)
        and user_id is not null
) as totals
cross join lateral (
    values
    ('receipts', totals.receipts),
    ('entitlements', totals.entitlements),
    ('unusable', totals.unusable),
    ('not_judged', totals.not_judged)
) as figures (name, value)
union all
select $1, 'findings', kind, count(*)
from reconcile.finding
where run_id = $1
group by kind
union all
select $1, figures.name, money.subject, figures.value
from (
    select
        money_bucket || ' ' || currency as subject,
        sum(estimated_amount) as amount,
        count(*) as rows_with_amount
    from reconcile.finding
    where run_id = $1 and estimated_amount is not null
    group by money_bucket, currency
) as money
cross join lateral (
    values ('amount', money.amount), ('rows_with_amount', money.rows_with_amount)
) as figures (name, value)
on conflict (run_id, name, md5(subject)) do update set value = excluded.value

-- name: view_counts
-- What the views had when a run was cut and when it was closed; null where it was not counted.
-- $1 text run_id. No locks. Primary key.
select
    planned_users,
    planned_receipts,
    planned_entitlements,
    at_close_users,
    at_close_receipts,
    at_close_entitlements
from reconcile.run
where run_id = $1

-- name: count_at_close, long
-- Counts the users, receipts and entitlements of the views when a run is closed, in one snapshot,
-- as cut_batches did. Does nothing for a run that is already counted, or that another worker
-- publishes.
-- $1 text run_id, $2 bigint the fencing number of the publication, or null. Locks: the run's row.
-- Scans both user_id columns once; an index on them helps.
update reconcile.run
set (at_close_users, at_close_receipts, at_close_entitlements) = (
    select
        count(counted.user_id),
        coalesce(sum(counted.receipts), 0),
        coalesce(sum(counted.entitlements), 0)
    from (
        select
            stored.user_id,
            count(*) filter (where stored.is_receipt) as receipts,
            count(*) filter (where not stored.is_receipt) as entitlements
        from (
            select user_id, true as is_receipt from reconcile.stored_receipts
            union all
            select user_id, false as is_receipt from reconcile.stored_entitlements
        ) as stored
        group by stored.user_id
    ) as counted
)
where run_id = $1
    and at_close_users is null
    and ($2::bigint is null or publication_no = $2::bigint)

-- name: run_figures
-- The figures of a run with age 0, and of the last seven published runs over everything before it
-- with age 1 for the newest: of those with the same --source, and with a refund sweep like it or
-- without one like it, because others find other things.
-- $1 text run_id. No locks. Primary keys, index run_earlier.
with earlier as (
    select r.run_id, row_number() over (order by r.run_no desc) as age
    from reconcile.run as r
    inner join reconcile.run as this on this.run_id = $1 and r.run_no < this.run_no
    where r.makes_history
        and r.state = 'published'
        and coalesce(r.settings ->> 'source', 'verify-receipt')
        = coalesce(this.settings ->> 'source', 'verify-receipt')
        and coalesce(r.settings ->> 'refund_sweep', 'false')
        = coalesce(this.settings ->> 'refund_sweep', 'false')
    order by r.run_no desc
    limit 7
)
select runs.age, f.name, f.subject, f.value
from (select $1 as run_id, 0 as age union all select run_id, age from earlier) as runs
inner join reconcile.run_figure as f on f.run_id = runs.run_id
order by runs.age

-- name: last_figures
-- The figures of the newest published run over everything that a run with some settings is compared
-- with.
-- $1 jsonb settings. No locks. Primary keys, index run_earlier.
select 0 as age, f.name, f.subject, f.value
from (
    select r.run_id
    from reconcile.run as r
    where r.makes_history
        and r.state = 'published'
        and coalesce(r.settings ->> 'source', 'verify-receipt')
        = coalesce($1::jsonb ->> 'source', 'verify-receipt')
        and coalesce(r.settings ->> 'refund_sweep', 'false')
        = coalesce($1::jsonb ->> 'refund_sweep', 'false')
    order by r.run_no desc
    limit 1
) as newest
inner join reconcile.run_figure as f on f.run_id = newest.run_id

-- name: record_held_reasons
-- Stores why a run is implausible.
-- $1 text run_id; {given}, {columns} and {values} are those of HeldReason. Locks: the new rows.
insert into reconcile.held_reason (run_id, {columns})
select $1, {values}
from {given}

-- name: held_reasons
-- The reasons why a run is implausible.
-- $1 text run_id. No locks. Primary key.
select guard, flag, reason
from reconcile.held_reason
where run_id = $1
order by reason_no
