-- Lets the role of sql/roles.sql, if there is one, write the tables that migrations have made.
-- No parameters. Locks: the tables, for the instant of the grant.
do $$
begin
    if exists (select from pg_catalog.pg_roles where rolname = 'reconcile_job') then
        grant usage on schema reconcile to reconcile_job;
        grant select on reconcile.migration to reconcile_job;
        grant select, insert, update, delete
        on
            reconcile.run, reconcile.batch, reconcile.outcome, reconcile.finding,
            reconcile.finding_change, reconcile.cancellation, reconcile.cleared_finding,
            reconcile.acceptance, reconcile.sighted_subscription, reconcile.sighted_product,
            reconcile.worker, reconcile.answer, reconcile.rate_bucket,
            reconcile.shared_subscription_change, reconcile.undecided_user
        to reconcile_job;
    end if;
end
$$
