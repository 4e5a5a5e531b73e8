-- The rows, sums and facts of a published run.

-- name: run_findings, long
-- The findings of one report, in report order (UTF-8 bytes, nulls first). {finding_columns} are
-- those of FindingColumn.
-- $1 text run_id, $2 text[] the report's kinds. No locks. Primary key, then a sort.
select {finding_columns}
from reconcile.finding
where run_id = $1 and kind = any($2::text[])
order by
    severity_rank,
    kind collate "C",
    coalesce(user_id, '') collate "C",
    coalesce(entitlement_id, '') collate "C",
    coalesce(original_transaction_id, '') collate "C",
    coalesce(transaction_id, '') collate "C",
    coalesce(receipt_id, '') collate "C",
    finding_id collate "C"

-- name: run_cleared, long
-- The findings that a run cleared, with the columns of their last report, in report order (UTF-8
-- bytes, nulls first). {finding_columns} are those of FindingColumn.
-- $1 text run_id. No locks. Primary keys, then a sort.
select {finding_columns}
from reconcile.finding
where (run_id, finding_id) in (
    select c.last_run_id, c.finding_id
    from reconcile.cleared_finding as c
    where c.run_id = $1
)
order by
    severity_rank,
    kind collate "C",
    coalesce(user_id, '') collate "C",
    coalesce(entitlement_id, '') collate "C",
    coalesce(original_transaction_id, '') collate "C",
    coalesce(transaction_id, '') collate "C",
    coalesce(receipt_id, '') collate "C",
    finding_id collate "C"

-- name: run_unverified, long
-- The receipts that could not be checked, and the stored rows with nulls, by user, receipt and
-- bundle as UTF-8 bytes.
-- $1 text run_id. No locks. Reads the run's part of the unique index, then sorts.
select
    receipt_id,
    user_id,
    bundle_id,
    cause,
    attempts,
    last_status,
    last_http_status,
    detail,
    entitlements_affected,
    coalesce(
        source,
        case
            when server in ('server_api', 'server_api_sandbox') then 'server_api'
            when server is not null then 'verify_receipt'
        end
    ) as source
from reconcile.outcome
where run_no = (select run_no from reconcile.run where run_id = $1)
    and (
        outcome = 'unverified'
        or (outcome = 'unusable' and cause = 'stored_row_invalid')
    )
order by
    coalesce(user_id, '') collate "C",
    coalesce(receipt_id, '') collate "C",
    coalesce(bundle_id, '') collate "C",
    cause collate "C"

-- name: run_not_reported, long
-- The entitlements of a run that are neither consistent nor in a finding, in report order (UTF-8
-- bytes, nulls first).
-- $1 text run_id. No locks. Index not_reported_run, then a sort.
select
    user_id,
    entitlement_id,
    bucket,
    kind,
    cause
from reconcile.not_reported
where run_id = $1
order by
    coalesce(user_id, '') collate "C",
    coalesce(entitlement_id, '') collate "C"

-- name: sum_findings, long
-- The findings of a run, summed: the rows of `totals`, in report order (UTF-8 bytes, nulls first).
-- Days are midnights in UTC. Before 2008, when there was no App Store, and after 9999, the Pacific
-- day is the day in UTC. The age is that of Age in Swift.
-- $1 text run_id, $2 text[] kinds that are events. No locks. Primary key, then a sort.
select
    f.event_day,
    f.event_day_pacific,
    f.bundle_id,
    f.product_id,
    f.kind,
    f.direction,
    f.lifecycle,
    f.currency,
    f.amount_basis,
    f.age,
    count(*) as findings,
    sum(f.estimated_amount) as amount
from (
    select
        date_trunc('day', f.event_at, 'UTC') as event_day,
        case
            when f.event_at >= timestamptz '2008-01-01 00:00:00+00'
                and f.event_at < timestamptz '10000-01-01 00:00:00+00'
                then date_trunc('day', f.event_at at time zone 'America/Los_Angeles')
                    at time zone 'UTC'
            else date_trunc('day', f.event_at, 'UTC')
        end as event_day_pacific,
        f.bundle_id,
        coalesce(f.product_apple, f.product_stored) as product_id,
        f.kind,
        f.direction,
        f.lifecycle,
        f.currency,
        f.amount_basis,
        f.estimated_amount,
        case
            when f.kind = any($2::text[]) or not isfinite(f.event_at) then null
            when date_trunc('second', r.as_of) - date_trunc('second', f.event_at)
                < interval '30 days' then 'under_30_days'
            when date_trunc('second', r.as_of) - date_trunc('second', f.event_at)
                < interval '90 days' then '30_to_90_days'
            when date_trunc('second', r.as_of) - date_trunc('second', f.event_at)
                < interval '366 days' then '90_to_365_days'
            when f.event_at is not null then 'over_365_days'
        end as age
    from reconcile.finding as f
    inner join reconcile.run as r on r.run_id = f.run_id
    where f.run_id = $1
) as f
group by
    f.event_day,
    f.event_day_pacific,
    f.bundle_id,
    f.product_id,
    f.kind,
    f.direction,
    f.lifecycle,
    f.currency,
    f.amount_basis,
    f.age
order by
    f.event_day nulls first,
    f.event_day_pacific nulls first,
    f.bundle_id collate "C" nulls first,
    f.product_id collate "C" nulls first,
    f.kind collate "C",
    f.direction collate "C",
    f.lifecycle collate "C",
    f.currency collate "C" nulls first,
    f.amount_basis collate "C" nulls first,
    f.age collate "C" nulls first

-- name: run_totals, long
-- The totals of a run, summed over its users, and the number of its unfinished batches.
-- $1 text run_id. No locks. Index user_result_batch, primary key of the batches.
select
    count(user_id) as users,
    coalesce(sum(receipts_in_scope), 0) as receipts_in_scope,
    coalesce(sum(receipts_verified), 0) as receipts_verified,
    coalesce(sum(receipts_rejected), 0) as receipts_rejected,
    coalesce(sum(receipts_unusable), 0) as receipts_unusable,
    coalesce(sum(receipts_unverified), 0) as receipts_unverified,
    coalesce(sum(entitlements_in_scope), 0) as entitlements_in_scope,
    coalesce(sum(entitlements_consistent), 0) as entitlements_consistent,
    coalesce(sum(entitlements_with_finding), 0) as entitlements_with_finding,
    coalesce(sum(entitlements_settling), 0) as entitlements_settling,
    coalesce(sum(entitlements_unverified), 0) as entitlements_unverified,
    coalesce(sum(entitlements_not_judged), 0) as entitlements_not_judged,
    min(oldest_verified_at) as oldest_verified_at,
    coalesce(sum(sources_agree), 0) as sources_agree,
    coalesce(sum(sources_differ), 0) as sources_differ,
    coalesce(sum(statuses_agree), 0) as statuses_agree,
    coalesce(sum(statuses_differ), 0) as statuses_differ,
    (
        select count(*)
        from reconcile.batch as b
        where b.run_id = $1 and b.done_at is null
    ) as batches_left
from reconcile.user_result
where run_no = (select run_no from reconcile.run where run_id = $1)

-- name: run_requests
-- The requests of a run to Apple, by server and answer.
-- $1 text run_id. No locks. Index request_count_run.
select
    server,
    http_status,
    status,
    sum(requests) as requests,
    sum(retries) as retries
from reconcile.request_count
where run_id = $1
group by server, http_status, status
order by server, http_status, status

-- name: count_outcomes, long
-- The outcomes of a run, counted from their rows to check the sums of user_result.
-- $1 text run_id. No locks. The unique index.
select outcome, count(*) as receipts
from reconcile.outcome
where run_no = (select run_no from reconcile.run where run_id = $1)
group by outcome
order by outcome

-- name: count_findings, long
-- The number of findings of a run by kind, severity and lifecycle.
-- $1 text run_id. No locks. Primary key.
select
    kind,
    severity,
    lifecycle,
    count(*) as findings
from reconcile.finding
where run_id = $1
group by kind, severity, lifecycle
order by kind, severity, lifecycle

-- name: count_entitlements_with_finding, long
-- The number of stored entitlements with a finding of some kinds in a run. A row that moved to
-- another user during the run was judged for both, and counts for both.
-- $1 text run_id, $2 text[] kinds. No locks. Primary key.
select count(distinct (user_id, entitlement_id)) as entitlements
from reconcile.finding
where run_id = $1 and kind = any($2::text[]) and entitlement_id is not null

-- name: went_past_max_runtime
-- Whether a receipt of a run was not sent because --max-runtime had passed.
-- $1 text run_id. No locks. Reads the run's part of the unique index.
select exists (
    select
    from reconcile.outcome
    where run_no = (select run_no from reconcile.run where run_id = $1)
        and outcome = 'unverified'
        and cause = 'deadline'
) as is_past

-- name: count_money, long
-- The amounts of a run's findings: by bucket and currency, and further by kind, by product
-- (Apple's, else the stored one), by bundle and by what they were calculated from.
-- $1 text run_id. No locks. Primary key.
select
    f.money_bucket as bucket,
    f.currency,
    case
        when grouping(f.kind) = 0 then 'kind'
        when grouping(f.product_id) = 0 then 'product'
        when grouping(f.bundle_id) = 0 then 'bundle'
        when grouping(f.amount_basis) = 0 then 'amount_basis'
        else 'all'
    end as by_what,
    coalesce(f.kind, f.product_id, f.bundle_id, f.amount_basis, '') as name,
    sum(f.estimated_amount) as amount,
    count(*) as findings
from (
    select
        money_bucket,
        currency,
        kind,
        coalesce(product_apple, product_stored, '') as product_id,
        coalesce(bundle_id, '') as bundle_id,
        amount_basis,
        estimated_amount
    from reconcile.finding
    where run_id = $1 and estimated_amount is not null
) as f
group by grouping sets (
    (f.money_bucket, f.currency),
    (f.money_bucket, f.currency, f.kind),
    (f.money_bucket, f.currency, f.product_id),
    (f.money_bucket, f.currency, f.bundle_id),
    (f.money_bucket, f.currency, f.amount_basis)
)
order by by_what, name, bucket, currency

-- name: count_no_amounts, long
-- The number of a run's findings without an amount although their kind has one, by reason.
-- $1 text run_id. No locks. Primary key.
select
    money_bucket as bucket,
    no_amount,
    count(*) as findings
from reconcile.finding
where run_id = $1 and money_bucket is not null and estimated_amount is null
group by money_bucket, no_amount
order by money_bucket, no_amount

-- name: count_ages, long
-- The findings of a run that lose somebody something, by direction, age and currency, and further
-- by kind and by product (Apple's, else the stored one), with their amounts. The age is that of Age
-- in Swift.
-- $1 text run_id. No locks. Primary key.
select
    n.direction,
    case when grouping(n.kind) = 0 then 'kind' else 'product' end as by_what,
    coalesce(n.kind, n.product_id) as name,
    n.age,
    n.currency,
    count(*) as findings,
    sum(n.estimated_amount) as amount
from (
    select
        f.direction,
        f.kind,
        coalesce(f.product_apple, f.product_stored, '') as product_id,
        f.currency,
        f.estimated_amount,
        case
            when not isfinite(f.event_at) then null
            when date_trunc('second', r.as_of) - date_trunc('second', f.event_at)
                < interval '30 days' then 'under_30_days'
            when date_trunc('second', r.as_of) - date_trunc('second', f.event_at)
                < interval '90 days' then '30_to_90_days'
            when date_trunc('second', r.as_of) - date_trunc('second', f.event_at)
                < interval '366 days' then '90_to_365_days'
            when f.event_at is not null then 'over_365_days'
        end as age
    from reconcile.finding as f
    inner join reconcile.run as r on r.run_id = f.run_id
    where f.run_id = $1 and f.direction <> 'none'
) as n
group by grouping sets (
    (n.direction, n.age, n.currency, n.kind),
    (n.direction, n.age, n.currency, n.product_id)
)
order by n.direction, by_what, name, n.age, n.currency

-- name: month_to_date, long
-- The refunds of the month in California in which a run judges, told by it and by the nightly runs
-- before it, and their sums: a row without a currency with the number, then one for each currency.
-- A refund that several users hold counts once; no later run tells it again. A published run says
-- what it said, and the newest earlier run of the month what was told until then, so that pruned
-- runs count.
-- $1 text run_id, $2 text[] kinds of refunds. No locks. Primary keys, index run_earlier.
with this as (
    select
        r.run_id,
        coalesce(b.run_no, r.run_no) as run_no,
        r.summary -> 'month_to_date' as own,
        to_char(m.first_day, 'YYYY-MM') as name,
        m.first_day at time zone 'America/Los_Angeles' as starts_at,
        (m.first_day + interval '1 month') at time zone 'America/Los_Angeles' as ends_at
    from reconcile.run as r
    left join reconcile.run as b on b.run_id = r.replay_of
    cross join lateral (
        select date_trunc('month', r.as_of at time zone 'America/Los_Angeles') as first_day
    ) as m
    where r.run_id = $1
),

earlier as (
    select p.run_no, p.summary -> 'month_to_date' as told
    from this as t
    inner join reconcile.run as p on p.run_no < t.run_no
    where p.makes_history
        and p.state = 'published'
        and p.as_of >= t.starts_at
        and p.summary #>> '{month_to_date,month}' = t.name
    order by p.run_no desc
    limit 1
),

told as (
    select t.own as told
    from this as t
    where t.own is not null
    union all
    select e.told
    from earlier as e
    cross join this as t
    where t.own is null
),

found as (
    select f.run_id, f.reference, f.currency, f.estimated_amount
    from this as t
    inner join reconcile.run as r
        on r.run_id = t.run_id
            or (
                r.makes_history
                and r.state = 'published'
                and r.run_no < t.run_no
                and r.run_no > coalesce((select e.run_no from earlier as e), 0)
                and r.as_of >= t.starts_at
            )
    inner join reconcile.finding as f on f.run_id = r.run_id
    where t.own is null
        and f.kind = any($2::text[])
        and f.event_at >= t.starts_at
        and f.event_at < t.ends_at
),

figure as (
    select null as currency, (told.told ->> 'refunds')::bigint as refunds, null::numeric as amount
    from told
    union all
    select null as currency, count(*) as refunds, null as amount
    from (select distinct run_id, reference collate "C" from found) as once
    union all
    select m.key as currency, 0 as refunds, m.value::numeric as amount
    from told
    cross join lateral json_each_text(told.told -> 'money') as m
    union all
    select currency, 0 as refunds, estimated_amount as amount
    from found
    where estimated_amount is not null
)

select
    t.name as month,
    n.currency,
    sum(n.refunds) as refunds,
    sum(n.amount)::text as amount
from this as t
cross join figure as n
group by t.name, n.currency
order by n.currency collate "C" nulls first

-- name: run_facts, long
-- The start of a run, when its last user was recorded, Apple's notice of the end of an API,
-- and the previous published run over everything. For a replay, the run before the replayed one.
-- $1 text run_id. No locks. Primary keys, index run_earlier.
select
    r.started_at,
    r.retired_api,
    r.deprecation_header,
    r.deprecated_at,
    r.sunset_header,
    r.ends_at,
    coalesce(
        (select max(b.done_at) from reconcile.batch as b where b.run_id = $1),
        r.started_at
    ) as ended_at,
    (
        select p.run_id
        from reconcile.run as p
        where p.makes_history
            and p.state = 'published'
            and p.run_no < coalesce(
                (select b.run_no from reconcile.run as b where b.run_id = r.replay_of),
                r.run_no
            )
        order by p.run_no desc
        limit 1
    ) as previous_run_id
from reconcile.run as r
where r.run_id = $1

-- name: run_acceptances, long
-- The acceptances of findings that a run shows as accepted: who, why and until when.
-- $1 text run_id. No locks. Primary keys; index acceptance_finding.
select
    f.finding_id,
    f.kind,
    f.user_id,
    a.accepted_by,
    a.reason,
    a.accepted_until
from reconcile.run as r
inner join reconcile.run as past on past.run_id = coalesce(r.replay_of, r.run_id)
inner join reconcile.finding as f on f.run_id = r.run_id and f.lifecycle = 'accepted'
cross join lateral (
    select
        n.accepted_by,
        n.reason,
        n.accepted_until
    from reconcile.acceptance as n
    where n.finding_id = f.finding_id::uuid and n.accepted_at <= past.started_at
    order by n.acceptance_no desc
    limit 1
) as a
where r.run_id = $1
order by f.finding_id collate "C"

-- name: count_unverified, long
-- The receipts of a run that could not be checked, by cause.
-- $1 text run_id. No locks. The unique index.
select cause, count(*) as receipts
from reconcile.outcome
where run_no = (select run_no from reconcile.run where run_id = $1) and outcome = 'unverified'
group by cause
order by cause

-- name: count_cleared, long
-- The findings that a run cleared, by kind.
-- $1 text run_id. No locks. Primary keys.
select f.kind, count(*) as findings
from reconcile.cleared_finding as c
inner join reconcile.finding as f
    on f.run_id = c.last_run_id and f.finding_id = c.finding_id
where c.run_id = $1
group by f.kind
order by f.kind

-- name: count_event_days, long
-- The refunds and expirations that a run records, by their day in California: the newest 92 days,
-- oldest first. A day is given as midnight in UTC; before 2008 and after 9999 it is the day in UTC,
-- as in sum_findings.
-- $1 text run_id, $2 text[] kinds of refunds, $3 text[] kinds of expirations. No locks. Primary
-- key.
select n.day, n.refunds, n.expirations
from (
    select
        case
            when f.event_at >= timestamptz '2008-01-01 00:00:00+00'
                and f.event_at < timestamptz '10000-01-01 00:00:00+00'
                then date_trunc('day', f.event_at at time zone 'America/Los_Angeles')
                    at time zone 'UTC'
            else date_trunc('day', f.event_at, 'UTC')
        end as day,
        count(*) filter (where f.kind = any($2::text[])) as refunds,
        count(*) filter (where f.kind = any($3::text[])) as expirations
    from reconcile.finding as f
    where f.run_id = $1
        and f.event_at is not null
        and (f.kind = any($2::text[]) or f.kind = any($3::text[]))
    group by 1
    order by 1 desc
    limit 92
) as n
order by n.day

-- name: earlier_nights
-- The summary numbers of earlier nightly runs, newest first: the runs that the run's own summary
-- lists, else up to 29. For a replay, the runs before the replayed one. A row for each of a run's
-- amounts, or one without.
-- $1 text run_id, $2 text[] kinds that are events. No locks. Primary key, index run_earlier.
with this as (
    select r.summary, coalesce(b.run_no, r.run_no) as run_no
    from reconcile.run as r
    left join reconcile.run as b on b.run_id = r.replay_of
    where r.run_id = $1
),

night as (
    select e.value as figures, e.ordinality as ordinal
    from this as t
    cross join lateral json_array_elements(t.summary -> 'earlier_nights')
        with ordinality as e (value, ordinality)
    union all
    (
        select
            json_build_object(
                'run_id', p.run_id,
                'as_of', p.summary -> 'as_of',
                'status', p.summary -> 'status',
                'findings', p.summary #> '{findings,total}',
                'events', (
                    select coalesce(sum(k.value::bigint), 0)
                    from json_each_text(p.summary #> '{findings,by_kind}') as k
                    where k.key = any($2::text[])
                ),
                'money', p.summary -> 'money'
            ) as figures,
            row_number() over (order by p.run_no desc) as ordinal
        from this as t
        inner join reconcile.run as p on p.run_no < t.run_no
        where t.summary is null
            and p.makes_history
            and p.state = 'published'
            and p.summary is not null
        order by p.run_no desc
        limit 29
    )
)

select
    n.figures ->> 'run_id' as run_id,
    (n.figures ->> 'as_of')::timestamptz as as_of,
    n.figures ->> 'status' as status,
    (n.figures ->> 'findings')::bigint as findings,
    coalesce((n.figures ->> 'events')::bigint, 0) as events,
    money.bucket,
    money.currency,
    money.amount
from night as n
left join lateral (
    select
        bucket.key as bucket,
        amount.key as currency,
        amount.value as amount
    from json_each(n.figures -> 'money') as bucket
    cross join lateral json_each_text(bucket.value) as amount
) as money on true
order by n.ordinal
