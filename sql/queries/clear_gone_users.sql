-- Clears the last run's findings of users of whom nothing is stored any more: they are in no batch.
-- $1 text run_id, $2 text[] kinds that are left alone. Locks: the new rows. Reads the findings of
-- one run by its primary key; indexes on the views' user_id.
with this as (
    select run_no from reconcile.run where run_id = $1 and makes_history
),
last_run as (
    select r.run_id
    from reconcile.run as r
    cross join this
    where r.makes_history and r.state = 'published' and r.run_no < this.run_no
    order by r.run_no desc
    limit 1
),
cleared as (
    insert into reconcile.cleared_finding (
        run_id,
        severity_rank,
        finding_id,
        kind,
        severity,
        direction,
        lifecycle,
        first_seen,
        user_id,
        entitlement_id,
        receipt_id,
        product_stored,
        product_apple,
        original_transaction_id,
        transaction_id,
        environment,
        bundle_id,
        ownership,
        stored_active,
        stored_expires_at,
        apple_state,
        apple_expires_at,
        event_at,
        reason,
        exposure_days,
        estimated_amount,
        currency,
        proposed_action,
        explanation,
        evidence_sha256,
        reference
    )
    select
        $1,
        f.severity_rank,
        f.finding_id,
        f.kind,
        f.severity,
        f.direction,
        f.lifecycle,
        f.first_seen,
        f.user_id,
        f.entitlement_id,
        f.receipt_id,
        f.product_stored,
        f.product_apple,
        f.original_transaction_id,
        f.transaction_id,
        f.environment,
        f.bundle_id,
        f.ownership,
        f.stored_active,
        f.stored_expires_at,
        f.apple_state,
        f.apple_expires_at,
        f.event_at,
        f.reason,
        f.exposure_days,
        f.estimated_amount,
        f.currency,
        f.proposed_action,
        f.explanation,
        f.evidence_sha256,
        f.reference
    from reconcile.finding as f
    inner join last_run on f.run_id = last_run.run_id
    where f.user_id is not null
        and f.kind <> all($2::text[])
        and not exists (
            select from reconcile.stored_receipts as s where s.user_id = f.user_id
        )
        and not exists (
            select from reconcile.stored_entitlements as s where s.user_id = f.user_id
        )
    on conflict do nothing
    returning user_id, finding_id, first_seen
)
insert into reconcile.finding_change (
    run_no, user_key, first_seen, finding_id, change, across_users
)
select
    this.run_no,
    reconcile.name_key(cleared.user_id),
    cleared.first_seen,
    cleared.finding_id::uuid,
    'cleared',
    false
from cleared
cross join this
