-- Stores a receipt that Apple verified, with the result. The row belongs to the first named user;
-- when user_id is the receipt's digest it was sent without a user.
-- $1 text SHA-256 in hexadecimal, which is the receipt_id, $2 bytea the same, $3 text user_id,
-- $4 text bundle_id, $5 text receipt in base64, $6 text environment, $7 timestamptz now,
-- $8 timestamptz valid_until, $9 bigint the newest published run when Apple was asked, $10 text[]
-- references by which refunds are found in the ledger, $11 bytea SHA-256 of its signed content or
-- null, $12 boolean whether it is a variant, or null.
-- Locks: the row. Index: its primary key.
insert into app.receipts (
    receipt_id, receipt_sha256, user_id, bundle_id, receipt_data, stored_at, environment,
    validated_at, valid_until, validated_run_no, refund_references, content_sha256, is_variant
)
values ($1, $2::bytea, $3, $4, $5, $7::timestamptz, $6, $7::timestamptz, $8::timestamptz,
    $9::bigint, $10::text[], $11::bytea, $12::boolean)
on conflict (receipt_id) do update
set
    user_id = case
        when app.receipts.user_id = app.receipts.receipt_id then excluded.user_id
        else app.receipts.user_id
    end,
    bundle_id = excluded.bundle_id,
    environment = excluded.environment,
    validated_at = excluded.validated_at,
    valid_until = excluded.valid_until,
    validated_run_no = excluded.validated_run_no,
    refund_references = excluded.refund_references,
    content_sha256 = coalesce(app.receipts.content_sha256, excluded.content_sha256),
    is_variant = coalesce(app.receipts.is_variant, excluded.is_variant)
