-- Removes what runs that came to nothing had written for later ones. Nobody ever saw it.
-- No parameters. Locks: the rows. Indexes run_dead, finding_change_run,
-- cancellation_run and shared_subscription_change_run.
with dead as (
    update reconcile.run
    set makes_history = false
    where makes_history and state in ('abandoned', 'failed')
    returning run_no
),
forgotten as (
    delete from reconcile.finding_change where run_no in (select run_no from dead)
),
unshared as (
    delete from reconcile.shared_subscription_change where run_no in (select run_no from dead)
)
delete from reconcile.cancellation where run_no in (select run_no from dead)
