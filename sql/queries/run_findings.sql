-- The findings of one report, in the order of its lines: as UTF-8 bytes, nothing before something.
-- $1 text run_id, $2 text[] the report's kinds. No locks. Primary key, then a sort.
select
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
    encode(evidence_sha256, 'hex') as evidence_sha256,
    reference
from reconcile.finding
where run_id = $1 and kind = any($2::text[])
order by
    severity_rank,
    kind collate "C",
    coalesce(user_id, '') collate "C",
    coalesce(entitlement_id, '') collate "C",
    coalesce(original_transaction_id, '') collate "C",
    coalesce(transaction_id, '') collate "C",
    coalesce(receipt_id, '') collate "C",
    finding_id collate "C"
