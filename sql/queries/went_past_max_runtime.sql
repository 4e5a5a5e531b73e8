-- Whether a receipt of a run was not sent because --max-runtime had passed.
-- $1 text run_id. No locks. Reads the run's part of the unique index.
select exists (
    select
    from reconcile.outcome
    where run_no = (select run_no from reconcile.run where run_id = $1)
        and outcome = 'unverified'
        and cause = 'deadline'
) as is_past
