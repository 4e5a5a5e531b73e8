-- Updates the ledger by a run that is published now; does nothing for a run that makes no history.
-- Findings that stay open are not written.
-- $1 text run_id, $2 text[] kinds that are events. Locks: the rows. Primary keys; index
-- ledger_open.
with this as (
    select run_id, run_no, as_of from reconcile.run where run_id = $1 and makes_history
),
last_run as (
    select r.run_no
    from reconcile.run as r
    cross join this
    where r.makes_history and r.state = 'published' and r.run_no < this.run_no
    order by r.run_no desc
    limit 1
),
found as (
    select
        f.finding_id::uuid as finding_id,
        f.first_seen,
        f.event_at,
        f.kind,
        f.user_id,
        f.entitlement_id,
        f.receipt_id,
        f.reference,
        case when f.kind = any($2::text[]) then 'event' else 'open' end as state,
        f.lifecycle in ('reopened', 'accepted') as may_be_closed
    from reconcile.finding as f
    inner join this on f.run_id = this.run_id
    union all
    select
        e.finding_id::uuid as finding_id,
        this.as_of as first_seen,
        e.event_at,
        e.kind,
        e.user_id,
        null as entitlement_id,
        null as receipt_id,
        e.reference,
        'remembered' as state,
        false as may_be_closed
    from reconcile.remembered_event as e
    inner join this on e.run_id = this.run_id
),
cleared as (
    select c.finding_id::uuid as finding_id
    from reconcile.cleared_finding as c
    inner join this on c.run_id = this.run_id
),
changed as (
    select
        l.finding_id,
        l.state,
        l.last_run_no,
        case when cleared.finding_id is null then 'open' else 'closed' end as new_state,
        case
            when found.finding_id is null
                then coalesce(l.last_run_no, (select run_no from last_run))
        end as new_last_run_no
    from reconcile.ledger as l
    cross join this
    left join found on found.finding_id = l.finding_id
    left join cleared on cleared.finding_id = l.finding_id
    where l.state = 'open'
    union all
    select
        l.finding_id,
        l.state,
        l.last_run_no,
        'open' as new_state,
        null as new_last_run_no
    from found
    cross join lateral (
        select e.finding_id, e.state, e.last_run_no
        from reconcile.ledger as e
        where e.finding_id = found.finding_id and e.state = 'closed'
        offset 0
    ) as l
    where found.may_be_closed
),
kept as (
    insert into reconcile.ledger_undo (run_no, last_run_no, finding_id, state)
    select this.run_no, c.last_run_no, c.finding_id, c.state
    from changed as c
    cross join this
    where (c.state, c.last_run_no) is distinct from (c.new_state, c.new_last_run_no)
),
updated as (
    update reconcile.ledger as l
    set state = c.new_state, last_run_no = c.new_last_run_no
    from changed as c
    where l.finding_id = c.finding_id
        and (c.state, c.last_run_no) is distinct from (c.new_state, c.new_last_run_no)
)
insert into reconcile.ledger (
    first_run_no, first_seen, event_at, finding_id, state, kind, user_id, entitlement_id,
    receipt_id, reference
)
select
    this.run_no,
    f.first_seen,
    f.event_at,
    f.finding_id,
    f.state,
    f.kind,
    f.user_id,
    f.entitlement_id,
    f.receipt_id,
    f.reference
from found as f
cross join this
on conflict (finding_id) do nothing
