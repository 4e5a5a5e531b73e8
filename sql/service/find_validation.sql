-- The stored validation of a receipt: one row per unlocked product and asset, or one with nulls. No
-- row for a receipt that was never validated. It is current until valid_until, unless a later
-- published run recorded a refund of one of its transactions.
-- $1 bytea SHA-256 of the receipt, $2 timestamptz now, $3 text user_id.
-- No locks. Indexes on the digest and on the ledger's refunds.
select
    r.receipt_id,
    r.environment,
    r.validated_at,
    r.valid_until > $2::timestamptz
    and not (
        r.validated_run_no < (
            select max(n.run_no)
            from reconcile.run as n
            where n.makes_history and n.state = 'published'
        )
        and exists (
            select
            from unnest(r.refund_references) as purchase (reference)
            inner join reconcile.ledger as l on l.reference = purchase.reference
            where l.kind in ('refund_recorded', 'family_revocation_recorded')
                and l.first_run_no > r.validated_run_no
        )
    ) as is_current,
    r.user_id = $3::text or exists (
        select
        from app.receipts as other
        where other.receipt_sha256 = $1::bytea and other.user_id = $3::text
    ) as has_user,
    p.product_id,
    p.asset_id,
    p.remote_product_id,
    p.right_ends_at,
    a.product_key
from app.receipts as r
left join app.receipt_products as p
    on p.receipt_id = r.receipt_id
        and p.is_unlocked
        and (p.right_ends_at is null or p.right_ends_at > $2::timestamptz)
left join app.assets as a on a.asset_id = p.asset_id
where r.receipt_sha256 = $1::bytea and r.validated_at is not null
order by p.remote_product_id collate "C", p.product_id collate "C"
