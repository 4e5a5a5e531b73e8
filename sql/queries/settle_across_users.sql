-- Gives the findings of a run that are found over all users their place in the history: lifecycle
-- and first_seen, and what later runs must know. One that is open and was not found again is
-- cleared; but it stays open where something that could show it is missing:
-- * a shared subscription while its user has a row by it, and an answer is missing of somebody else
--   whose receipts showed it; or while it could not be judged whether the user has such a row;
-- * an unknown product while an answer of anybody is missing, unless the catalogue has it.
-- $1 text run_id, $2 text[] kinds, $3 text the run before which the history is read.
-- Locks: the rows. Once a run. Indexes
-- finding_change_across and acceptance_user; primary keys; one pass over the sightings.
with this as (
    select
        r.run_no,
        r.makes_history,
        b.run_no as before_no,
        b.as_of,
        b.started_at,
        (
            select p.run_no
            from reconcile.run as p
            where p.makes_history and p.state = 'published' and p.run_no < b.run_no
            order by p.run_no desc
            limit 1
        ) as last_run_no
    from reconcile.run as r
    inner join reconcile.run as b on b.run_id = $3
    where r.run_id = $1
),
raised as (
    select f.finding_id, f.user_id, f.first_seen
    from reconcile.finding as f
    cross join this
    where f.run_id = $1 and f.kind = any($2::text[])
),
past as (
    select distinct on (c.finding_id)
        replace(c.finding_id::text, '-', '') as finding_id,
        c.change,
        c.first_seen,
        coalesce(c.last_run_no, this.last_run_no) as last_run_no
    from reconcile.finding_change as c
    inner join reconcile.run as r on r.run_no = c.run_no
    cross join this
    where c.across_users and c.run_no < this.before_no and r.state = 'published'
    order by c.finding_id, c.run_no desc
),
accepted as (
    select distinct on (a.finding_id)
        replace(a.finding_id::text, '-', '') as finding_id,
        coalesce(a.accepted_until > this.as_of, true) as is_valid
    from raised
    inner join reconcile.acceptance as a on a.user_key = reconcile.name_key(raised.user_id)
    cross join this
    where a.accepted_at <= this.started_at
    order by a.finding_id, a.acceptance_no desc
),
settled as (
    update reconcile.finding as f
    set
        lifecycle = case
            when accepted.is_valid then 'accepted'
            when past.change in ('reported', 'held') then 'persisting'
            when past.change = 'cleared' then 'reopened'
            else 'new'
        end,
        first_seen = coalesce(past.first_seen, f.first_seen)
    from raised
    left join past on past.finding_id = raised.finding_id
    left join accepted on accepted.finding_id = raised.finding_id
    where f.run_id = $1 and f.finding_id = raised.finding_id
),
missing as (
    select
        past.change,
        past.last_run_no,
        f.severity_rank,
        f.finding_id,
        f.kind,
        f.severity,
        f.direction,
        f.lifecycle,
        f.first_seen,
        f.user_id,
        f.entitlement_id,
        f.receipt_id,
        f.product_stored,
        f.product_apple,
        f.original_transaction_id,
        f.transaction_id,
        f.environment,
        f.bundle_id,
        f.ownership,
        f.stored_active,
        f.stored_expires_at,
        f.apple_state,
        f.apple_expires_at,
        f.event_at,
        f.reason,
        f.exposure_days,
        f.estimated_amount,
        f.currency,
        f.proposed_action,
        f.explanation,
        f.evidence_sha256,
        f.reference
    from past
    cross join this
    inner join reconcile.run as r on r.run_no = past.last_run_no
    -- By the primary key, whatever the planner knows: there are years of findings.
    cross join lateral (
        select
            g.severity_rank,
            g.finding_id,
            g.kind,
            g.severity,
            g.direction,
            g.lifecycle,
            g.first_seen,
            g.user_id,
            g.entitlement_id,
            g.receipt_id,
            g.product_stored,
            g.product_apple,
            g.original_transaction_id,
            g.transaction_id,
            g.environment,
            g.bundle_id,
            g.ownership,
            g.stored_active,
            g.stored_expires_at,
            g.apple_state,
            g.apple_expires_at,
            g.event_at,
            g.reason,
            g.exposure_days,
            g.estimated_amount,
            g.currency,
            g.proposed_action,
            g.explanation,
            g.evidence_sha256,
            g.reference
        from reconcile.finding as g
        where g.run_id = r.run_id and g.finding_id = past.finding_id
        offset 0
    ) as f
    where this.makes_history
        and past.change in ('reported', 'held')
        and not exists (select from raised where raised.finding_id = past.finding_id)
),
undecided as (
    select user_id, lacks_evidence, may_be_granted
    from reconcile.undecided_user
    where run_id = $1
),
shown as (
    select distinct on (c.original_transaction_id, c.user_id)
        c.original_transaction_id,
        c.user_id,
        c.is_shown
    from reconcile.shared_subscription_change as c
    inner join reconcile.run as r on r.run_no = c.run_no
    cross join this
    where c.run_no < this.before_no and r.state = 'published'
    order by c.original_transaction_id, c.user_id, c.run_no desc
),
-- Subscriptions that somebody may show whose answer is missing, and who.
hidden as (
    select shown.original_transaction_id, shown.user_id
    from shown
    inner join undecided on undecided.user_id = shown.user_id
    where shown.is_shown and undecided.lacks_evidence
    union
    -- As far as runs before this was kept tell.
    select
        m.original_transaction_id collate "C" as original_transaction_id,
        m.user_id collate "C" as user_id
    from missing as m
    inner join undecided on undecided.user_id = m.user_id collate "C"
    where undecided.lacks_evidence
),
-- Findings whose user is granted something by the subscription tonight: it only lacks the others.
-- Grouped and not joined: the planner, who knows nothing of the sightings, would read them all for
-- each finding.
granted as (
    select
        min(pair.finding_id) as finding_id,
        pair.original_transaction_id,
        pair.user_id
    from (
        select
            m.finding_id,
            m.original_transaction_id collate "C" as original_transaction_id,
            m.user_id collate "C" as user_id
        from missing as m
        where m.original_transaction_id is not null
        union all
        select null as finding_id, s.original_transaction_id, s.user_id
        from reconcile.sighted_subscription as s
        where s.run_id = $1 and s.entitlement_id is not null
    ) as pair
    group by pair.original_transaction_id, pair.user_id
    having count(pair.finding_id) > 0 and count(*) > count(pair.finding_id)
),
held as (
    select granted.finding_id
    from granted
    inner join hidden
        on hidden.original_transaction_id = granted.original_transaction_id
            and hidden.user_id <> granted.user_id
    union
    select m.finding_id
    from missing as m
    inner join undecided on undecided.user_id = m.user_id collate "C"
    left join granted on granted.finding_id = m.finding_id
    where undecided.may_be_granted and granted.finding_id is null
    union
    select m.finding_id
    from missing as m
    left join reconcile.catalog_products as p on p.product_id = m.product_apple
    where m.kind = 'unknown_product'
        and p.product_id is null
        and exists (select from undecided where undecided.lacks_evidence)
),
judged as (
    select m.finding_id, held.finding_id is null as is_cleared
    from missing as m
    left join held on held.finding_id = m.finding_id
),
cleared as (
    insert into reconcile.cleared_finding (
        run_id,
        severity_rank,
        finding_id,
        kind,
        severity,
        direction,
        lifecycle,
        first_seen,
        user_id,
        entitlement_id,
        receipt_id,
        product_stored,
        product_apple,
        original_transaction_id,
        transaction_id,
        environment,
        bundle_id,
        ownership,
        stored_active,
        stored_expires_at,
        apple_state,
        apple_expires_at,
        event_at,
        reason,
        exposure_days,
        estimated_amount,
        currency,
        proposed_action,
        explanation,
        evidence_sha256,
        reference
    )
    select
        $1,
        m.severity_rank,
        m.finding_id,
        m.kind,
        m.severity,
        m.direction,
        m.lifecycle,
        m.first_seen,
        m.user_id,
        m.entitlement_id,
        m.receipt_id,
        m.product_stored,
        m.product_apple,
        m.original_transaction_id,
        m.transaction_id,
        m.environment,
        m.bundle_id,
        m.ownership,
        m.stored_active,
        m.stored_expires_at,
        m.apple_state,
        m.apple_expires_at,
        m.event_at,
        m.reason,
        m.exposure_days,
        m.estimated_amount,
        m.currency,
        m.proposed_action,
        m.explanation,
        m.evidence_sha256,
        m.reference
    from missing as m
    inner join judged on judged.finding_id = m.finding_id and judged.is_cleared
    on conflict do nothing
)
insert into reconcile.finding_change (
    run_no, user_key, first_seen, last_run_no, finding_id, change, across_users
)
select
    this.run_no,
    reconcile.name_key(raised.user_id),
    coalesce(past.first_seen, raised.first_seen),
    null,
    raised.finding_id::uuid,
    'reported',
    true
from raised
cross join this
left join past on past.finding_id = raised.finding_id
where this.makes_history and coalesce(past.change <> 'reported', true)
union all
select
    this.run_no,
    reconcile.name_key(m.user_id),
    m.first_seen,
    case when not judged.is_cleared then m.last_run_no end,
    m.finding_id::uuid,
    case when judged.is_cleared then 'cleared' else 'held' end,
    true
from missing as m
inner join judged on judged.finding_id = m.finding_id
cross join this
where judged.is_cleared or m.change = 'reported'
