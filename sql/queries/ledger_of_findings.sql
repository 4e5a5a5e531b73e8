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
