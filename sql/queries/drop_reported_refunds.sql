-- Removes refunds of a run that an earlier run reported for another user: the receipt has moved.
-- They are remembered for the new user.
-- $1 text run_id. Locks: the rows. Primary key; index ledger_refund.
with dropped as (
    delete from reconcile.finding as f
    where f.run_id = $1
        and f.kind in ('refund_recorded', 'family_revocation_recorded')
        and exists (
            select
            from reconcile.ledger as l
            where l.kind in ('refund_recorded', 'family_revocation_recorded')
                and l.reference = f.reference
                and l.first_run_no < (
                    select b.run_no
                    from reconcile.run as r
                    inner join reconcile.run as b on b.run_id = coalesce(r.replay_of, r.run_id)
                    where r.run_id = $1
                )
        )
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
