-- Grants the roles of sql/roles.sql, where they exist, their privileges on migrated tables.
-- No parameters. Locks: the tables, briefly.
do $$
begin
    if exists (select from pg_catalog.pg_roles where rolname = 'reconcile_job') then
        grant usage on schema reconcile to reconcile_job;
        grant select on reconcile.migration, reconcile.live_worker to reconcile_job;
        grant select, insert, update, delete
        on
            reconcile.run, reconcile.run_figure, reconcile.held_reason, reconcile.worker,
            reconcile.batch, reconcile.stopped_app, reconcile.user_result,
            reconcile.request_count, reconcile.second_look, reconcile.outcome, reconcile.finding,
            reconcile.not_reported, reconcile.evidence, reconcile.rate_bucket, reconcile.ledger,
            reconcile.ledger_undo, reconcile.cleared_finding, reconcile.unjudged_finding,
            reconcile.remembered_event, reconcile.acceptance, reconcile.sighted_purchase,
            reconcile.sighted_receipt, reconcile.sighted_product, reconcile.undecided_user,
            reconcile.judged_user, reconcile.kept_receipt, reconcile.erasure,
            reconcile.erased_finding
        to reconcile_job;
    end if;
    if exists (select from pg_catalog.pg_roles where rolname = 'reconcile_reader') then
        grant usage on schema reconcile to reconcile_reader;
        grant select
        on
            reconcile.migration, reconcile.live_worker, reconcile.run, reconcile.run_figure,
            reconcile.held_reason, reconcile.worker, reconcile.batch, reconcile.user_result,
            reconcile.request_count, reconcile.outcome, reconcile.finding, reconcile.not_reported,
            reconcile.ledger, reconcile.cleared_finding, reconcile.unjudged_finding,
            reconcile.acceptance, reconcile.judged_user, reconcile.erasure,
            reconcile.erased_finding
        to reconcile_reader;
        grant select (
            run_id, request_sha256, receipt_id, user_id, outcome, cause, attempts, last_status,
            last_http_status, detail, answered_at, server, body_sha256
        ) on reconcile.evidence to reconcile_reader;
    end if;
    if exists (select from pg_catalog.pg_roles where rolname = 'reconcile_evidence') then
        grant usage on schema reconcile to reconcile_evidence;
        grant select on reconcile.evidence to reconcile_evidence;
    end if;
    if exists (select from pg_catalog.pg_roles where rolname = 'reconcile_receipts') then
        grant usage on schema reconcile to reconcile_receipts;
        grant select on reconcile.migration, reconcile.kept_receipt to reconcile_receipts;
    end if;
    if exists (select from pg_catalog.pg_roles where rolname = 'reconcile_service') then
        grant usage on schema reconcile to reconcile_service;
        grant select
        on
            reconcile.migration, reconcile.live_worker, reconcile.run, reconcile.worker,
            reconcile.ledger, reconcile.rate_bucket
        to reconcile_service;
        grant update on reconcile.rate_bucket to reconcile_service;
    end if;
end
$$
