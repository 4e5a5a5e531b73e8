-- The ledger's open findings and events of some users. A replay sees the events that the replayed
-- run knew.
-- $1 text the run's id or the replayed run's, $2 text[] users, $3 boolean whether it is a replay.
-- No locks. Index ledger_user, forced: the ledger holds years of findings.
select
    replace(l.finding_id::text, '-', '') as finding_id,
    l.state,
    l.kind,
    l.user_id,
    l.entitlement_id,
    l.receipt_id,
    l.reference,
    l.first_seen,
    l.event_at
from unnest($2::text[]) as wanted (user_id)
cross join lateral (
    select
        e.first_run_no,
        e.finding_id,
        e.state,
        e.kind,
        e.user_id,
        e.entitlement_id,
        e.receipt_id,
        e.reference,
        e.first_seen,
        e.event_at
    from reconcile.ledger as e
    where e.user_id = wanted.user_id and e.state <> 'closed'
    offset 0
) as l
where not $3::boolean
    or (
        l.state in ('event', 'remembered')
        and l.first_run_no < (select r.run_no from reconcile.run as r where r.run_id = $1)
    )
order by l.user_id collate "C", l.finding_id
