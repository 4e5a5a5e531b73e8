-- Marks the findings of a run that earlier runs saw to be over.
-- $1 text run_id. Locks: the rows. Primary keys: a look into the ledger for each of the run's new
-- findings, and none into the rest of it.
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
