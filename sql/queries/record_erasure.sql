-- Records for each ended run that judged a user how many lines and how much money it had of the
-- user, without the id. Runs whose rows were pruned have none any more.
-- $1 text user_id, $2 text who erases. Locks: the new rows. Scans the tables with rows by user.
with line as (
    select
        r.run_id,
        u.receipts_in_scope as receipts,
        u.entitlements_in_scope as entitlements,
        0 as cleared,
        0 as unverified,
        0 as not_reported
    from reconcile.user_result as u
    inner join reconcile.run as r on r.run_no = u.run_no
    where u.user_id = $1
    union all
    select c.run_id, 0, 0, 1, 0, 0
    from reconcile.cleared_finding as c
    inner join reconcile.finding as f
        on f.run_id = c.last_run_id and f.finding_id = c.finding_id
    where f.user_id = $1
    union all
    select r.run_id, 0, 0, 0, 1, 0
    from reconcile.outcome as o
    inner join reconcile.run as r on r.run_no = o.run_no
    where o.user_id = $1
        and (
            o.outcome = 'unverified'
            or (o.outcome = 'unusable' and o.cause = 'stored_row_invalid')
        )
    union all
    select n.run_id, 0, 0, 0, 0, 1
    from reconcile.not_reported as n
    where n.user_id = $1
    union all
    select f.run_id, 0, 0, 0, 0, 0
    from reconcile.finding as f
    where f.user_id = $1
),
erased as (
    insert into reconcile.erasure (
        run_id, erased_by, receipts, entitlements, cleared, unverified, not_reported
    )
    select
        l.run_id,
        $2,
        sum(l.receipts),
        sum(l.entitlements),
        sum(l.cleared),
        sum(l.unverified),
        sum(l.not_reported)
    from line as l
    inner join reconcile.run as r
        on r.run_id = l.run_id and r.state <> 'open' and r.pruned_at is null
    group by l.run_id
    returning erasure_no, run_id
)
insert into reconcile.erased_finding (
    erasure_no, kind, money_bucket, currency, findings, amount
)
select
    e.erasure_no,
    f.kind,
    f.money_bucket,
    f.currency,
    count(*),
    sum(f.estimated_amount)
from erased as e
inner join reconcile.finding as f on f.run_id = e.run_id and f.user_id = $1
group by e.erasure_no, f.kind, f.money_bucket, f.currency
