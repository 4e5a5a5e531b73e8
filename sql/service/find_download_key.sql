-- The asset that a download key opens, and whether a published run has recorded a refund of the
-- product it was made for. No row when the receipt or the asset no longer exists.
-- $1 bytea SHA-256 of the receipt, $2 text product_id, $3 text product_key.
-- No locks. Indexes on the digest and on the ledger's refunds.
select
    p.remote_product_id,
    exists (
        select
        from unnest(p.refund_references) as purchase (reference)
        inner join reconcile.ledger as l on l.reference = purchase.reference
        where l.kind in ('refund_recorded', 'family_revocation_recorded')
            and l.first_run_no > p.run_no
    ) as is_revoked
from app.receipts as r
inner join app.receipt_products as p on p.receipt_id = r.receipt_id and p.product_id = $2
inner join app.assets as a on a.asset_id = p.asset_id and a.product_key = $3
where r.receipt_sha256 = $1::bytea and r.validated_at is not null
