-- The ledger of findings, comparison of users, and acceptances.

-- name: ledger_of_users
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

-- name: judged_digests
-- The digests of some users' verdict records, from the last published nightly run with a record.
-- $1 text run_id, $2 text[] users. No locks. Index judged_user_user.
select distinct on (kept.user_id collate "C")
    kept.user_id,
    kept.digest
from unnest($2::text[]) as wanted (user_id)
cross join lateral (
    select
        j.user_id,
        j.run_no,
        j.digest
    from reconcile.judged_user as j
    where left(j.user_id, 100) collate "C" = left(wanted.user_id, 100) collate "C"
        and j.user_id = wanted.user_id
    offset 0
) as kept
inner join reconcile.run as r on r.run_no = kept.run_no
where r.makes_history
    and r.state = 'published'
    and r.run_no < (select own.run_no from reconcile.run as own where own.run_id = $1)
order by kept.user_id collate "C", kept.run_no desc

-- name: judged_purchases
-- The purchases that gave or had given a user rights in the published runs of the last 30 days,
-- newest run first. A run that kept no record of the user judged as the one before it. Keys as in
-- judged_rights (investigation.sql).
-- $1 text the run_id before which, or null for all runs; $2 text user_id; $3 timestamptz
-- the instant 30 days after the first of them. No locks. Index judged_user_user.
with past as (
    select
        r.run_id,
        r.run_no,
        r.as_of
    from reconcile.run as r
    where r.makes_history
        and r.state = 'published'
        and r.run_no < coalesce(
            (select own.run_no from reconcile.run as own where own.run_id = $1), r.run_no + 1
        )
),
kept as (
    select
        j.record,
        past.run_no,
        lead(past.run_no) over (order by past.run_no) as next_no
    from reconcile.judged_user as j
    inner join past on past.run_no = j.run_no
    where left(j.user_id, 100) collate "C" = left($2, 100) collate "C"
        and j.user_id = $2
)
select
    coalesce(el.value #>> '{y,s}', 'active') as apple_state,
    coalesce(el.value #>> '{y,k}', 'auto_renewable') as apple_kind,
    coalesce(el.value #>> '{y,p}', el.value ->> 'p') as apple_product_id,
    el.value #>> '{y,t}' as apple_transaction_id,
    el.value #>> '{y,o}' as apple_original_transaction_id,
    el.value #>> '{y,l}' as apple_line_item,
    el.value #>> '{y,b}' as apple_purchased_at,
    coalesce(el.value #> '{y,x}', el.value -> 'x') #>> '{}' as apple_expires_at,
    coalesce(el.value #> '{y,e}', el.value #> '{y,x}', el.value -> 'x') #>> '{}' as apple_ends_at
from kept
cross join lateral json_array_elements(kept.record -> 'v') with ordinality as el (value, ordinal)
where el.value -> 'y' is not null
    and exists(
        select
        from past
        where past.run_no >= kept.run_no
            and (kept.next_no is null or past.run_no < kept.next_no)
            and past.as_of >= $3::timestamptz - interval '30 days'
    )
order by kept.run_no desc, el.ordinal

-- name: past_acceptances
-- The findings of some users that were accepted when a run was opened, until after its as_of.
-- $1 text run_id, $2 text[] users. No locks. Index acceptance_user.
select
    replace(last.finding_id::text, '-', '') as finding_id,
    last.user_id
from (
    select as_of, started_at from reconcile.run where run_id = $1
) as this
cross join lateral (
    select distinct on (a.finding_id)
        a.finding_id,
        a.user_id,
        a.accepted_until,
        a.is_undone
    from unnest($2::text[]) as wanted (user_id)
    cross join lateral (
        select
            n.acceptance_no,
            n.finding_id,
            n.user_id,
            n.accepted_until,
            n.accepted_at,
            n.is_undone
        from reconcile.acceptance as n
        where n.user_id = wanted.user_id
        offset 0
    ) as a
    where a.accepted_at <= this.started_at
    order by a.finding_id, a.acceptance_no desc
) as last
where not last.is_undone
    and (last.accepted_until is null or last.accepted_until > this.as_of)
order by last.finding_id

-- name: begin_comparison
-- Marks that the users of a run are compared; returns no row when that was done before, or another
-- worker publishes the run.
-- $1 text run_id, $2 bigint the fencing number of the publication, or null. Locks: the row. Primary
-- key.
update reconcile.run
set compared_at = now()
where run_id = $1
    and compared_at is null
    and ($2::bigint is null or publication_no = $2::bigint)
returning run_id

-- name: drop_reported_refunds, long
-- Removes refunds of a run that an earlier run reported for another user: the receipt has moved.
-- They are remembered for the new user.
-- $1 text run_id; {columns} are those of remembered_event. Locks: the rows. Primary key; index
-- ledger_refund.
with dropped as (
    delete from reconcile.finding as f
    where f.run_id = $1
        and f.kind in ('refund_recorded', 'family_revocation_recorded')
        and exists (
            select
            from reconcile.ledger as l
            where l.kind in (
                'refund_recorded', 'family_revocation_recorded', 'refund_without_receipt'
            )
                and l.reference = f.reference
                and l.first_run_no < (
                    select b.run_no
                    from reconcile.run as r
                    inner join reconcile.run as b on b.run_id = coalesce(r.replay_of, r.run_id)
                    where r.run_id = $1
                )
        )
    returning f.*
)
insert into reconcile.remembered_event ({columns})
select {columns}
from dropped

-- name: drop_unclaimed_events, long
-- Removes events of unclaimed receipts that another user of the run shows too: a
-- customer, or of several such receipts the first by its digest. They are remembered.
-- $1 text run_id; {columns} are those of remembered_event. Locks: the rows. Primary key, then a
-- sort of the run's events.
with shown as (
    select
        finding_id,
        is_unclaimed,
        row_number() over (
            partition by kind, reference collate "C"
            order by is_unclaimed, user_id collate "C", finding_id
        ) as ordinal
    from reconcile.finding
    where run_id = $1
        and kind in ('refund_recorded', 'family_revocation_recorded', 'refund_reversed')
),
dropped as (
    delete from reconcile.finding as f
    using shown
    where f.run_id = $1
        and f.finding_id = shown.finding_id
        and shown.is_unclaimed
        and shown.ordinal > 1
    returning f.*
)
insert into reconcile.remembered_event ({columns})
select {columns}
from dropped

-- name: count_refunds_once, long
-- Removes the amount and its explanation from refunds that several users' receipts contain, except
-- in the first row in report order: totals count each refund once.
-- $1 text run_id. Locks: the rows. Primary key, then a sort of the run's refunds.
with repeated as (
    select
        finding_id,
        row_number() over (
            partition by reference collate "C"
            order by
                (estimated_amount is null),
                coalesce(user_id, '') collate "C",
                coalesce(original_transaction_id, '') collate "C",
                coalesce(receipt_id, '') collate "C",
                finding_id
        ) as ordinal
    from reconcile.finding
    where run_id = $1 and kind = 'refund_recorded'
)
update reconcile.finding as f
set
    estimated_amount = null,
    currency = null,
    amount_basis = null,
    no_amount = 'counted_elsewhere',
    explanation = regexp_replace(explanation, ' \(estimate: [^()]*\)\.$', '.')
from repeated
where f.run_id = $1
    and f.finding_id = repeated.finding_id
    and repeated.ordinal > 1
    and f.estimated_amount is not null

-- name: shared_purchases, long
-- The purchases that several users' answers contain, for each user who is granted one, except the
-- one who paid. Who paid is known where the newest transaction that the App Store Server API shows
-- names one of the users.
-- $1 text run_id. No locks. Three scans of the run's part of the table; sorts only what is shared.
with this as (
    select run_no from reconcile.run where run_id = $1
),
shared as (
    select
        s.original_transaction_id,
        count(*) as users,
        min(s.user_id) as first_user,
        max(s.user_id) as last_user
    from reconcile.sighted_purchase as s
    where s.run_no = (select run_no from this)
    group by s.original_transaction_id
    having count(*) > 1 and min(s.user_id) <> max(s.user_id)
),
newest as (
    select distinct on (s.original_transaction_id)
        s.original_transaction_id,
        s.account_token
    from shared
    inner join reconcile.sighted_purchase as s
        on s.run_no = (select run_no from this)
            and s.original_transaction_id = shared.original_transaction_id
    where s.newest_transaction_id is not null
    order by
        s.original_transaction_id,
        s.newest_purchased_at desc,
        length(s.newest_transaction_id) desc,
        s.newest_transaction_id collate "C" desc
),
paid as (
    select distinct on (s.original_transaction_id)
        s.original_transaction_id,
        s.user_id,
        newest.account_token
    from newest
    inner join reconcile.sighted_purchase as s
        on s.run_no = (select run_no from this)
            and s.original_transaction_id = newest.original_transaction_id
            and lower(s.user_id) = lower(newest.account_token)
    order by s.original_transaction_id, s.user_id
)

select
    s.user_id,
    s.original_transaction_id,
    s.entitlement_id,
    s.receipt_id,
    s.product_id,
    s.transaction_id,
    s.ownership,
    s.apple_state,
    s.apple_expires_at,
    s.reason,
    shared.users,
    case when shared.first_user = s.user_id then shared.last_user else shared.first_user end
        as other_user,
    s.bundle_id,
    s.source,
    paid.user_id as payer,
    paid.account_token,
    encode(s.evidence_sha256, 'hex') as evidence_sha256
from shared
inner join reconcile.sighted_purchase as s
    on s.run_no = (select run_no from this)
        and s.original_transaction_id = shared.original_transaction_id
left join paid on paid.original_transaction_id = s.original_transaction_id
where s.entitlement_id is not null and (paid.user_id is null or paid.user_id <> s.user_id)
order by s.original_transaction_id, s.user_id

-- name: shared_receipts, long
-- Receipts of paid apps that are stored for several users, one row per entitlement based on one; of
-- several receipts for an entitlement, the first by digest.
-- $1 text run_id. No locks. Two scans of the run's part of the table, and a sort of the shared
-- rows.
select distinct on (s.user_id, s.entitlement_id)
    s.user_id,
    s.receipt_sha256,
    s.receipt_id,
    s.bundle_id,
    s.entitlement_id,
    s.product_id,
    s.stored_expires_at,
    shared.users,
    case when shared.first_user = s.user_id then shared.last_user else shared.first_user end
        as other_user
from (
    select
        receipt_sha256,
        count(distinct user_id) as users,
        min(user_id) as first_user,
        max(user_id) as last_user
    from reconcile.sighted_receipt
    where run_id = $1
    group by receipt_sha256
    having min(user_id) <> max(user_id)
) as shared
inner join reconcile.sighted_receipt as s
    on s.run_id = $1 and s.receipt_sha256 = shared.receipt_sha256
where s.entitlement_id is not null
order by s.user_id, s.entitlement_id, s.receipt_sha256

-- name: unknown_products, long
-- Products in right-giving answers that are not in the catalogue, with the number of users and of
-- stored entitlements.
-- $1 text run_id. No locks. One scan of the run's part of the table.
select product_id, sum(users) as users, sum(entitlements) as entitlements
from reconcile.sighted_product
where run_id = $1
group by product_id
having sum(users) > 0
order by product_id

-- name: ledger_of_findings
-- The ledger's open findings and events among some ids.
-- $1 text[] finding_ids. No locks. Primary key.
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
from reconcile.ledger as l
where l.finding_id = any($1::uuid[]) and l.state <> 'closed'
order by l.finding_id

-- name: accepted_findings
-- The findings among $2 that were accepted when a run was opened, until after its as_of.
-- $1 text run_id, $2 text[] finding_ids. No locks. Index acceptance_finding.
select replace(last.finding_id::text, '-', '') as finding_id
from (
    select as_of, started_at from reconcile.run where run_id = $1
) as this
cross join lateral (
    select distinct on (a.finding_id)
        a.finding_id,
        a.accepted_until,
        a.is_undone
    from reconcile.acceptance as a
    where a.finding_id = any($2::uuid[]) and a.accepted_at <= this.started_at
    order by a.finding_id, a.acceptance_no desc
) as last
where not last.is_undone
    and (last.accepted_until is null or last.accepted_until > this.as_of)
order by last.finding_id

-- name: reopen_findings, long
-- Marks findings of a run as reopened that earlier runs cleared.
-- $1 text run_id. Locks: the rows. Primary keys: one lookup in the ledger per new finding of the
-- run.
update reconcile.finding as f
set
    lifecycle = case when f.lifecycle = 'accepted' then 'accepted' else 'reopened' end,
    first_seen = (
        select l.first_seen
        from reconcile.ledger as l
        where l.finding_id = f.finding_id::uuid
    )
where f.run_id = $1
    and f.lifecycle in ('new', 'accepted')
    and (
        select l.state
        from reconcile.ledger as l
        where l.finding_id = f.finding_id::uuid
    ) = 'closed'

-- name: take_lifecycle, long
-- Copies the lifecycle of findings from the replayed run to the replay.
-- $1 text run_id. Locks: the rows. Primary keys.
update reconcile.finding as f
set lifecycle = former.lifecycle, first_seen = former.first_seen
from reconcile.run as r
inner join reconcile.finding as former on former.run_id = r.replay_of
where r.run_id = $1
    and f.run_id = $1
    and former.finding_id = f.finding_id
    and (f.lifecycle, f.first_seen) is distinct from (former.lifecycle, former.first_seen)

-- name: clear_findings, long
-- Clears findings: open in the ledger, not found by this run, and judged by it.
-- Findings of kinds that compare users ($2) stay open while a missing answer could confirm them:
-- * a shared purchase or receipt that is still granted to the user: an answer of another user whose
--   receipts contained it in the last report;
-- * a shared purchase or receipt of a user whose own rows were not judged;
-- * an unknown product: any answer, unless the product is in the catalogue.
-- A partial run clears findings of the users that it judged, and none that compare users. A replay
-- clears what the replayed run cleared, for its own users.
-- $1 text run_id, $2 text[] kinds that compare users.
-- Locks: the new rows. Reads the open part of the ledger; primary keys; scans the sightings of the
-- run and of the runs that last reported the missing findings.
with this as (
    select run_id, run_no, is_everything, replay_of, scope
    from reconcile.run
    where run_id = $1
),
last_run as (
    select r.run_no
    from reconcile.run as r
    cross join this
    where r.makes_history and r.state = 'published' and r.run_no < this.run_no
    order by r.run_no desc
    limit 1
),
missing as (
    select
        l.finding_id,
        l.kind,
        l.user_id,
        l.reference,
        coalesce(l.last_run_no, (select run_no from last_run)) as last_run_no
    from reconcile.ledger as l
    cross join this
    where l.state = 'open'
        and this.replay_of is null
        and (this.is_everything or l.kind <> all($2::text[]))
        and not exists (
            select
            from reconcile.finding as f
            where f.run_id = $1 and f.finding_id = replace(l.finding_id::text, '-', '')
        )
        and not exists (
            select
            from reconcile.unjudged_finding as h
            where h.run_id = $1 and h.finding_id = replace(l.finding_id::text, '-', '')
        )
),
-- Used as an array, so that only rows of these runs are read.
last_reports as (
    select run_id, run_no
    from reconcile.run
    where run_no in (select last_run_no from missing where user_id is not null)
),
undecided as (
    select user_id, lacks_evidence, may_be_granted
    from reconcile.undecided_user
    where run_id = $1
),
-- Shared findings for which another involved user lacks an answer.
hidden as (
    select m.finding_id
    from missing as m
    inner join reconcile.sighted_purchase as s
        on s.run_no = m.last_run_no
            and s.run_no = any(array(select run_no from last_reports))
            and s.original_transaction_id = m.reference collate "C"
    inner join undecided on undecided.user_id = s.user_id
    where m.kind = 'shared_original_transaction'
        and s.user_id <> m.user_id collate "C"
        and undecided.lacks_evidence
    union
    select m.finding_id
    from missing as m
    inner join reconcile.run as r on r.run_no = m.last_run_no
    inner join reconcile.sighted_receipt as s
        on s.run_id = r.run_id
            and s.run_id = any(array(select run_id from last_reports))
            and encode(s.receipt_sha256, 'hex') = m.reference
    inner join undecided on undecided.user_id = s.user_id
    where m.kind = 'shared_receipt'
        and s.user_id <> m.user_id collate "C"
        and undecided.lacks_evidence
),
-- Shared findings whose user is still granted the purchase or receipt.
granted as (
    select m.finding_id
    from missing as m
    inner join reconcile.sighted_purchase as s
        on s.run_no = (select run_no from this)
            and s.original_transaction_id = m.reference collate "C"
            and s.user_id = m.user_id collate "C"
            and s.entitlement_id is not null
    where m.kind = 'shared_original_transaction'
    union
    select m.finding_id
    from missing as m
    inner join reconcile.sighted_receipt as s
        on s.run_id = $1
            and encode(s.receipt_sha256, 'hex') = m.reference
            and s.user_id = m.user_id collate "C"
            and s.entitlement_id is not null
    where m.kind = 'shared_receipt'
),
staying as (
    select granted.finding_id
    from granted
    inner join hidden on hidden.finding_id = granted.finding_id
    union
    select m.finding_id
    from missing as m
    inner join undecided on undecided.user_id = m.user_id collate "C"
    left join granted on granted.finding_id = m.finding_id
    where m.kind = any($2::text[]) and undecided.may_be_granted and granted.finding_id is null
    union
    select m.finding_id
    from missing as m
    left join reconcile.catalog_products as p on p.product_id = m.reference
    where m.kind = 'unknown_product'
        and p.product_id is null
        and exists (select from undecided where undecided.lacks_evidence)
),
-- Users judged by the run; over everything also users without stored rows.
judged as (
    select m.finding_id
    from missing as m
    cross join this
    inner join reconcile.user_result as u on u.run_no = this.run_no and u.user_id = m.user_id
    union
    select m.finding_id
    from missing as m
    cross join this
    where this.is_everything
        and not exists (
            select from reconcile.stored_receipts as s where s.user_id = m.user_id
        )
        and not exists (
            select from reconcile.stored_entitlements as s where s.user_id = m.user_id
        )
)
insert into reconcile.cleared_finding (run_id, last_run_id, finding_id)
select
    $1,
    r.run_id,
    replace(m.finding_id::text, '-', '')
from missing as m
inner join judged on judged.finding_id = m.finding_id
inner join reconcile.run as r on r.run_no = m.last_run_no
left join staying on staying.finding_id = m.finding_id
where staying.finding_id is null
union all
select $1, c.last_run_id, c.finding_id
from this
inner join reconcile.cleared_finding as c on c.run_id = this.replay_of
inner join reconcile.finding as last
    on last.run_id = c.last_run_id and last.finding_id = c.finding_id
where not exists (
    select
    from reconcile.finding as f
    where f.run_id = $1 and f.finding_id = c.finding_id
)
    and (
        this.scope = '{}'
        or exists (
            select
            from reconcile.user_result as u
            where u.run_no = this.run_no and u.user_id = last.user_id
        )
    )
on conflict do nothing

-- name: move_ledger, long
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

-- name: accept_finding
-- Records an acceptance of a finding, or its undo.
-- {columns} and {values} are those of Acceptance, with {finding_id} text; {kind} text the finding's
-- kind, for an undo null. Locks: the new row. Index acceptance_finding.
insert into reconcile.acceptance ({columns}, kind)
values (
    {values},
    coalesce(
        {kind},
        (
            select a.kind
            from reconcile.acceptance as a
            where a.finding_id = {finding_id}::uuid
            order by a.acceptance_no desc
            limit 1
        )
    )
)

-- name: list_acceptances
-- The currently accepted findings with their details.
-- No parameters. No locks. Index acceptance_finding.
select
    replace(a.finding_id::text, '-', '') as finding_id,
    a.user_id,
    a.accepted_by,
    a.reason,
    a.accepted_until,
    a.kind
from (
    select distinct on (n.finding_id)
        n.finding_id,
        n.kind,
        n.user_id,
        n.accepted_by,
        n.reason,
        n.accepted_until,
        n.accepted_at,
        n.is_undone
    from reconcile.acceptance as n
    order by n.finding_id, n.acceptance_no desc
) as a
where not a.is_undone and (a.accepted_until is null or a.accepted_until > now())
order by a.accepted_at, a.finding_id
