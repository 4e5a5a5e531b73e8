-- A period: what the nightly runs of some days told, added up.

-- name: history_runs
-- The runs of the history, in the order in which they judged.
-- No parameters. No locks. Index run_earlier.
select run_id, as_of, pruned_at is not null as is_pruned
from reconcile.run
where makes_history and state = 'published'
order by as_of, run_no

-- name: has_bundle, long
-- Whether a finding of the history names an app.
-- $1 text bundle_id. No locks. Scans the findings until there is one.
select exists (
    select
    from reconcile.finding as f
    inner join reconcile.run as r on r.run_id = f.run_id
    where f.bundle_id = $1 and r.makes_history and r.state = 'published'
) as is_named

-- name: period_movements, long
-- What stood before, entered, left and changed over some consecutive runs, and stood after them: a
-- row a direction, kind, app, product, currency and acceptance, in report order (UTF-8 bytes). A
-- finding that a run did not report and did not clear stands as it was last reported. Amounts that
-- are not known count as 0.
-- $1 text[] the run_ids in the order of as_of, $2 text the run before them, or null for none, where
-- all begins at nothing; $3 text[] kinds that are events; $4 text bundle_id, or null for all.
-- No locks. Primary keys; index ledger_open; scans the changes of the ledger since the run before.
with opening as (
    select run_id, run_no, as_of from reconcile.run where run_id = $2
),

night as (
    select n.run_id, n.ordinal, r.as_of
    from unnest($1::text[]) with ordinality as n (run_id, ordinal)
    inner join reconcile.run as r on r.run_id = n.run_id
    union all
    select run_id, 0 as ordinal, as_of
    from opening
),

-- The ledger's rows that changed since the opening run, as they were after it.
changed as (
    select distinct on (u.finding_id)
        u.finding_id,
        u.state,
        u.last_run_no
    from reconcile.ledger_undo as u
    inner join opening as o on u.run_no > o.run_no
    order by u.finding_id, u.run_no
),

-- What stood after the opening run although it did not report it.
carried as (
    select c.finding_id, c.last_run_no
    from changed as c
    inner join opening as o on c.last_run_no < o.run_no
    where c.state = 'open'
    union all
    select l.finding_id, l.last_run_no
    from reconcile.ledger as l
    inner join opening as o on l.last_run_no < o.run_no
    where l.state = 'open'
        and not exists (select from changed as c where c.finding_id = l.finding_id)
),

reported as (
    select
        n.ordinal,
        false as is_carried,
        n.as_of,
        f.finding_id,
        f.first_seen,
        f.direction,
        f.kind,
        f.bundle_id,
        coalesce(f.product_apple, f.product_stored) as product_id,
        f.currency,
        f.lifecycle,
        f.estimated_amount
    from night as n
    inner join reconcile.finding as f on f.run_id = n.run_id
    where f.kind <> all($3::text[])
    union all
    select
        0 as ordinal,
        true as is_carried,
        r.as_of,
        f.finding_id,
        f.first_seen,
        f.direction,
        f.kind,
        f.bundle_id,
        coalesce(f.product_apple, f.product_stored) as product_id,
        f.currency,
        f.lifecycle,
        f.estimated_amount
    from carried as c
    inner join reconcile.run as r on r.run_no = c.last_run_no
    inner join reconcile.finding as f
        on f.run_id = r.run_id and f.finding_id = replace(c.finding_id::text, '-', '')
),

-- Each time that a finding was reported or cleared.
step as (
    select
        finding_id,
        ordinal,
        true as is_reported,
        is_carried,
        first_seen = as_of as is_new,
        direction,
        kind,
        nullif(bundle_id, '') as bundle_id,
        nullif(product_id, '') as product_id,
        currency,
        lifecycle = 'accepted' as accepted,
        coalesce(estimated_amount, 0) as amount
    from reported
    union all
    select
        c.finding_id,
        n.ordinal,
        false as is_reported,
        false as is_carried,
        false as is_new,
        null as direction,
        null as kind,
        null as bundle_id,
        null as product_id,
        null as currency,
        null as accepted,
        null as amount
    from night as n
    inner join reconcile.cleared_finding as c on c.run_id = n.run_id
    where n.ordinal > 0
        and not exists (
            select
            from reconcile.finding as f
            where f.run_id = n.run_id and f.finding_id = c.finding_id
        )
),

-- Each step beside the one before: what was reported there and is not cleared stood.
moved as (
    select
        s.*,
        coalesce(lag(s.is_reported) over story, false) as stood,
        lag(s.direction) over story as last_direction,
        lag(s.kind) over story as last_kind,
        lag(s.bundle_id) over story as last_bundle_id,
        lag(s.product_id) over story as last_product_id,
        lag(s.currency) over story as last_currency,
        lag(s.accepted) over story as last_accepted,
        lag(s.amount) over story as last_amount,
        lead(s.ordinal) over story is null as is_last
    from step as s
    window story as (partition by s.finding_id order by s.ordinal)
),

told as (
    select
        m.*,
        m.is_reported
        and m.stood
        and (m.direction, m.kind, m.bundle_id, m.product_id, m.currency, m.accepted)
        is distinct from (
            m.last_direction, m.last_kind, m.last_bundle_id, m.last_product_id, m.last_currency,
            m.last_accepted
        ) as is_elsewhere
    from moved as m
),

flow as (
    select
        direction,
        kind,
        bundle_id,
        product_id,
        currency,
        accepted,
        amount,
        (ordinal = 0)::int as opening,
        is_carried::int as opening_unjudged,
        (ordinal > 0 and not stood and is_new)::int as new,
        (ordinal > 0 and not stood and not is_new)::int as reopened,
        0 as cleared,
        is_elsewhere::int as moved,
        case when stood and not is_elsewhere then amount - last_amount else 0 end as revalued,
        is_last::int as closing,
        (is_last and ordinal < cardinality($1::text[]))::int as unjudged
    from told
    where is_reported and ($4::text is null or bundle_id = $4::text)
    union all
    select
        last_direction,
        last_kind,
        last_bundle_id,
        last_product_id,
        last_currency,
        last_accepted,
        last_amount,
        0,
        0,
        0,
        0,
        (not is_reported)::int,
        -is_elsewhere::int,
        0,
        0,
        0
    from told
    where stood
        and (is_elsewhere or not is_reported)
        and ($4::text is null or last_bundle_id = $4::text)
)

select
    direction,
    kind,
    bundle_id,
    product_id,
    currency,
    accepted,
    sum(opening) as opening_count,
    sum(opening_unjudged) as opening_unjudged_count,
    sum(new) as new_count,
    sum(reopened) as reopened_count,
    sum(cleared) as cleared_count,
    sum(moved) as moved_count,
    sum(closing) as closing_count,
    sum(unjudged) as unjudged_count,
    sum(amount * opening)::text as opening_amount,
    sum(amount * new)::text as new_amount,
    sum(amount * reopened)::text as reopened_amount,
    sum(amount * cleared)::text as cleared_amount,
    sum(amount * moved)::text as moved_amount,
    sum(revalued)::text as revalued_amount,
    sum(amount * closing)::text as closing_amount,
    sum(amount * unjudged)::text as unjudged_amount
from flow
group by direction, kind, bundle_id, product_id, currency, accepted
order by
    direction collate "C",
    kind collate "C",
    bundle_id collate "C" nulls first,
    product_id collate "C" nulls first,
    currency collate "C" nulls first,
    accepted

-- name: period_events, long
-- The events of some kinds that happened between two instants, as the run told them that reported
-- them, in report order (UTF-8 bytes, nulls first), with the first later run that told of their
-- reversal. Of several users' rows about one refund, the first that has an amount is counted.
-- {finding_columns} are those of FindingColumn.
-- $1 timestamptz the start, $2 timestamptz the end, $3 text[] kinds, $4 text bundle_id, or null for
-- all. No locks. Scans the ledger; primary keys, then a sort.
with history as (
    select run_id, run_no, as_of
    from reconcile.run
    where makes_history and state = 'published'
),

told as (
    select
        replace(l.finding_id::text, '-', '') as finding_id,
        h.run_id,
        h.as_of
    from reconcile.ledger as l
    inner join history as h on h.run_no = l.first_run_no
    where l.state = 'event'
        and l.kind = any($3::text[])
        and l.event_at >= $1::timestamptz
        and l.event_at < $2::timestamptz
),

event as (
    select
        f.*,
        told.as_of as run_as_of,
        row_number() over (
            partition by f.kind = 'family_revocation_recorded', f.reference collate "C"
            order by
                (f.estimated_amount is null),
                f.severity_rank,
                f.kind collate "C",
                coalesce(f.user_id, '') collate "C",
                f.finding_id collate "C"
        ) = 1 as is_counted
    from told
    inner join reconcile.finding as f
        on f.run_id = told.run_id and f.finding_id = told.finding_id
    where $4::text is null or f.bundle_id = $4::text
),

-- Rows that tell of a reversal. An owed right without an end is that of a non-consumable, whose
-- refund is known by the first transaction.
reversal as (
    select
        h.as_of,
        f.transaction_id,
        case
            when f.kind = 'refund_reversed' then f.reference
            when f.apple_expires_at is null then f.original_transaction_id
        end as reference
    from reconcile.ledger as l
    inner join history as h
        on h.as_of > $1::timestamptz
            and h.run_no >= l.first_run_no
            and (l.kind <> 'refund_reversed' or h.run_no = l.first_run_no)
    inner join reconcile.finding as f
        on f.run_id = h.run_id and f.finding_id = replace(l.finding_id::text, '-', '')
    where l.kind in ('refund_reversed', 'refund_reversed_not_restored')
),

reversed as (
    select e.finding_id, min(e.reversed_at) as reversed_at
    from (
        select own.finding_id, r.as_of as reversed_at
        from event as own
        inner join reversal as r on r.reference = own.reference and r.as_of > own.run_as_of
        union all
        select own.finding_id, r.as_of as reversed_at
        from event as own
        inner join reversal as r
            on r.transaction_id = own.transaction_id and r.as_of > own.run_as_of
    ) as e
    group by e.finding_id
)

select
    {finding_columns},
    f.run_id,
    f.run_as_of,
    f.is_counted,
    reversed.reversed_at
from event as f
left join reversed on reversed.finding_id = f.finding_id
order by
    f.severity_rank,
    f.kind collate "C",
    coalesce(f.user_id, '') collate "C",
    coalesce(f.entitlement_id, '') collate "C",
    coalesce(f.original_transaction_id, '') collate "C",
    coalesce(f.transaction_id, '') collate "C",
    coalesce(f.receipt_id, '') collate "C",
    f.finding_id collate "C"
