-- Removes a run's refunds that an earlier run told for another user: the receipt has moved.
-- $1 text run_id. Locks: the rows. Primary key; index ledger_refund.
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
