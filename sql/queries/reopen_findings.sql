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
