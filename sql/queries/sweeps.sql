-- The sweep of refund notices of whole apps.

-- name: open_sweeps
-- Opens the sweeps of a run, one for each app, unless they are open. A window begins a day before
-- the end of the app's last whole sweep in an earlier run, and at most 179 days before as_of.
-- $1 text run_id, $2 text[] bundle_ids. No locks on other rows. Index refund_sweep_bundle.
insert into reconcile.refund_sweep (run_id, bundle_id, from_at)
select
    this.run_id,
    app.bundle_id,
    greatest(this.as_of - interval '179 days', coalesce(last.as_of - interval '1 day', '-infinity'))
from reconcile.run as this
cross join unnest($2::text[]) as app (bundle_id)
left join lateral (
    select max(r.as_of) as as_of
    from reconcile.refund_sweep as s
    inner join reconcile.run as r on r.run_id = s.run_id
    where s.bundle_id = app.bundle_id
        and s.is_complete
        and r.makes_history
        and r.state = 'published'
        and r.run_no < this.run_no
) as last on true
where this.run_id = $1
on conflict (run_id, md5(bundle_id)) do nothing

-- name: claim_sweep
-- Claims a sweep of a run that no live worker reads, in the order of bundle ids. Forgets what a
-- dead worker read of it.
-- $1 text run_id, $2 bigint worker_no. Locks: the row, skipping locked ones.
with claimed as (
    update reconcile.refund_sweep as s
    set worker_no = $2::bigint
    where (s.run_id, s.bundle_id) in (
        select
            free.run_id,
            free.bundle_id
        from reconcile.refund_sweep as free
        where free.run_id = $1
            and free.is_complete is null
            and not exists (
                select
                from reconcile.live_worker as l
                where l.worker_no = free.worker_no and l.worker_no <> $2::bigint
            )
        order by free.bundle_id collate "C"
        limit 1
        for update skip locked
    )
    returning s.bundle_id, s.from_at
),
forgotten as (
    delete from reconcile.refund_notice as n
    using claimed
    where n.run_id = $1 and n.bundle_id = claimed.bundle_id
)
select bundle_id, from_at
from claimed

-- name: has_open_sweep
-- Whether a sweep of a run has not ended.
-- $1 text run_id. No locks. Index refund_sweep_bundle.
select exists (
    select from reconcile.refund_sweep where run_id = $1 and is_complete is null
) as is_open

-- name: add_notices
-- Adds a page of notices; {columns}, {values} and {given} are those of RefundNotice.
-- $1 text run_id, $2 text bundle_id. No locks.
insert into reconcile.refund_notice (run_id, bundle_id, {columns})
select
    $1,
    $2,
    {values}
from {given}

-- name: end_sweep
-- Records the end of an app's sweep; of one that failed the notices are left out.
-- $1 text run_id, $2 text bundle_id, $3 text what failed, or null. Locks: the row.
with failed as (
    delete from reconcile.refund_notice
    where run_id = $1 and bundle_id = $2 and $3::text is not null
)
update reconcile.refund_sweep
set is_complete = $3::text is null, failure = $3
where run_id = $1 and bundle_id = $2

-- name: record_requests
-- Records requests that belong to no user; {given}, {columns} and {values} are those of
-- RequestCount.
-- $1 text run_id. No locks.
insert into reconcile.request_count (run_id, {columns})
select
    $1,
    {values}
from {given}

-- name: swept_refunds
-- The transactions of a run's sweeps that are refunded at as_of by their newest notice.
-- $1 text run_id. No locks. The run's part of the table, and a sort.
select newest.transaction_id
from (
    select distinct on (n.transaction_id)
        n.transaction_id,
        n.notice_type,
        n.revoked_at
    from reconcile.refund_notice as n
    inner join reconcile.refund_sweep as s
        on s.run_id = n.run_id and s.bundle_id = n.bundle_id and s.is_complete
    where n.run_id = $1 and n.notice_type in ('REFUND', 'REFUND_REVERSED')
    order by n.transaction_id, n.signed_at desc, n.notice_type desc
) as newest
where newest.notice_type = 'REFUND'
    and newest.revoked_at <= (select as_of from reconcile.run where run_id = $1)
order by newest.transaction_id

-- name: refunds_of_nobody, long
-- The same that no answer of the run shows, with their newest notices, oldest first.
-- $1 text run_id. No locks. The run's part of both tables, and a sort.
select
    newest.bundle_id,
    newest.payload
from (
    select distinct on (n.transaction_id)
        n.transaction_id,
        n.bundle_id,
        n.notice_type,
        n.signed_at,
        n.revoked_at,
        n.payload
    from reconcile.refund_notice as n
    inner join reconcile.refund_sweep as s
        on s.run_id = n.run_id and s.bundle_id = n.bundle_id and s.is_complete
    where n.run_id = $1 and n.notice_type in ('REFUND', 'REFUND_REVERSED')
    order by n.transaction_id, n.signed_at desc, n.notice_type desc
) as newest
where newest.notice_type = 'REFUND'
    and newest.revoked_at <= (select as_of from reconcile.run where run_id = $1)
    and not exists (
        select
        from reconcile.swept_transaction as shown
        where shown.run_id = $1 and shown.transaction_id = newest.transaction_id
    )
order by newest.signed_at, newest.transaction_id

-- name: reported_refunds
-- Of some refunds those that this run or an earlier one has reported or remembered, whoever had
-- them.
-- $1 text run_id, $2 text[] references. No locks. Indexes ledger_refund and finding.
select l.reference
from reconcile.ledger as l
where l.kind in ('refund_recorded', 'family_revocation_recorded', 'refund_without_receipt')
    and l.reference = any($2::text[])
union
select f.reference
from reconcile.finding as f
where f.run_id = $1
    and f.kind in ('refund_recorded', 'family_revocation_recorded')
    and f.reference = any($2::text[])
order by 1

-- name: users_by_token
-- The users of a run whose ids are some tokens, without regard to case.
-- $1 text run_id, $2 text[] tokens in lower case. No locks. The run's part of the table.
select u.user_id
from reconcile.user_result as u
where u.run_no = (select run_no from reconcile.run where run_id = $1)
    and lower(u.user_id) = any($2::text[])
order by u.user_id collate "C"

-- name: count_refunds_of_nobody
-- Records how many refunds of an app no answer of the run shows.
-- $1 text run_id, $2 text[] bundle_ids, $3 int[] counts. Locks: the rows.
update reconcile.refund_sweep as s
set refunds_without_receipt = counted.refunds
from unnest($2::text[], $3::int[]) as counted (bundle_id, refunds)
where s.run_id = $1 and s.bundle_id = counted.bundle_id

-- name: run_sweeps
-- The sweeps of a run with their notices by type, in the order of bundle ids.
-- $1 text run_id. No locks. The run's part of the table.
select
    s.bundle_id,
    s.from_at,
    coalesce(s.is_complete, false) as is_complete,
    s.refunds_without_receipt,
    n.notice_type,
    count(n.transaction_id) as notices,
    count(n.transaction_id) filter (where n.is_missed) as failed_deliveries
from reconcile.refund_sweep as s
left join reconcile.refund_notice as n
    on n.run_id = s.run_id and n.bundle_id = s.bundle_id
where s.run_id = $1
group by
    s.bundle_id,
    s.from_at,
    s.is_complete,
    s.refunds_without_receipt,
    n.notice_type
order by s.bundle_id collate "C", n.notice_type
