-- Findings as some run reported them last, column by column as run_findings.
-- $1 text[] findings, $2 bigint[] the number of the run of each. No locks. Primary keys.
select
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
    encode(f.evidence_sha256, 'hex') as evidence_sha256,
    f.reference
from unnest($1::text[], $2::bigint[]) as wanted (finding_id, run_no)
inner join reconcile.run as r on r.run_no = wanted.run_no
inner join reconcile.finding as f
    on f.run_id = r.run_id and f.finding_id = wanted.finding_id
order by f.finding_id
