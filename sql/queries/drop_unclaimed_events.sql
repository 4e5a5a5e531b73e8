-- Removes events of receipts that nobody claims and that another user of the run shows too: a
-- customer, or of several such receipts the first by its digest. They are remembered.
-- $1 text run_id. Locks: the rows. Primary key, then a sort of the run's events.
with told as (
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
    using told
    where f.run_id = $1
        and f.finding_id = told.finding_id
        and told.is_unclaimed
        and told.ordinal > 1
    returning f.finding_id, f.event_at, f.kind, f.user_id, f.reference
)
insert into reconcile.remembered_event (run_id, finding_id, event_at, kind, user_id, reference)
select
    $1,
    finding_id,
    event_at,
    kind,
    user_id,
    reference
from dropped
