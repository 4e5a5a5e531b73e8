-- The receipt validation service.

-- name: try_receipt_lock
-- Tries to lock a receipt, so that only one process asks Apple about it. Held until the session
-- ends.
-- $1 text the first 16 digits of its SHA-256. Locks: an advisory lock with a 64-bit key.
select pg_try_advisory_lock(('x' || $1)::bit(64)::bigint) as is_taken

-- name: free_receipt_lock
-- Releases the lock of a receipt.
-- $1 text the first 16 digits of its SHA-256. Locks: releases an advisory lock.
select pg_advisory_unlock(('x' || $1)::bit(64)::bigint) as was_held

-- name: find_validation
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

-- name: find_receipt_of_content
-- The stored receipt that stands for all receipts with the same signed content: the one that Apple
-- wrote, else, where a variant may, the first variant. No row when there is none.
-- $1 bytea SHA-256 of the content, $2 boolean whether a variant may stand for it.
-- No locks. Index on the content.
select receipt_sha256
from app.receipts
where content_sha256 = $1::bytea
    and validated_at is not null
    and ($2::boolean or not is_variant)
order by is_variant, stored_at, receipt_id collate "C"
limit 1

-- name: read_validated_receipt
-- A stored receipt, to ask Apple about it again. No row when it no longer exists.
-- $1 text receipt_id. No locks. Index: the primary key.
select receipt_data
from app.receipts
where receipt_id = $1

-- name: lock_content
-- Lets one transaction at a time store receipts with a content, so that at most one of them is
-- stored as Apple wrote it, and one variant.
-- $1 text SHA-256 of the content in hexadecimal.
-- Locks: an advisory lock of the transaction.
select pg_advisory_xact_lock(7390, pg_catalog.hashtext($1))

-- name: newest_history
-- The number of the newest published run over everything; validations that start now include its
-- refunds.
-- No parameters. No locks. Index run_earlier.
select coalesce(max(run_no), 0) as run_no
from reconcile.run
where makes_history and state = 'published'

-- name: store_validated_receipt
-- Stores a receipt that Apple verified, with the result. The row belongs to the first named user;
-- when user_id is the receipt's digest it was sent without a user. receipt_id is the SHA-256 of the
-- receipt, validated_run_no the newest published run when Apple was asked, refund_references are
-- those by which refunds are found in the ledger, content_sha256 is of the signed content or null.
-- {columns} and {values} are those of NewValidation. Locks: the row. Index: its primary key.
insert into app.receipts ({columns})
values ({values})
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

-- name: lock_receipt
-- Locks the row of a receipt, so that users are added one after the other.
-- $1 text receipt_id. Locks: the row. Index: the primary key.
select receipt_id
from app.receipts
where receipt_id = $1
for no key update

-- name: limit_empty_validation
-- Shortens a validation that unlocks no asset: the user may be about to buy, or the team to link
-- the product to an asset.
-- $1 text receipt_id, $2 timestamptz the new end. Locks: the row. Index: primary keys.
update app.receipts as r
set valid_until = $2::timestamptz
where r.receipt_id = $1
    and r.valid_until > $2::timestamptz
    and not exists (
        select
        from app.receipt_products as p
        where p.receipt_id = r.receipt_id and p.is_unlocked
    )

-- name: revoke_unlocked_products
-- Marks a receipt's products as not unlocked, before those it unlocks are stored again. Rows with
-- valid keys stay, so that the nightly run sees them.
-- $1 text receipt_id. Locks: the rows; the receipt's row is locked already.
update app.receipt_products
set is_unlocked = false
where receipt_id = $1 and is_unlocked

-- name: store_unlocked_products
-- Stores what a receipt unlocks: one row per product and asset.
-- $1 text receipt_id, $2 bigint the newest published run when Apple was asked; {given} are those of
-- UnlockedProducts.Product. Locks: the rows. Index: primary keys.
insert into app.receipt_products (
    receipt_id, product_id, asset_id, remote_product_id, is_unlocked, right_ends_at, run_no,
    refund_references
)
select
    $1,
    given.product_id,
    a.asset_id,
    a.remote_product_id,
    true,
    given.right_ends_at,
    $2::bigint,
    given.refund_references::text[]
from {given}
inner join app.product_assets as link on link.product_id = given.product_id
inner join app.assets as a on a.asset_id = link.asset_id
order by given.product_id, a.asset_id
on conflict (receipt_id, product_id, asset_id) do update
set
    remote_product_id = excluded.remote_product_id,
    is_unlocked = true,
    right_ends_at = excluded.right_ends_at,
    run_no = excluded.run_no,
    refund_references = excluded.refund_references

-- name: drop_dead_products
-- Deletes products that a receipt no longer unlocks and that have no valid key.
-- $1 text receipt_id, $2 timestamptz now. Locks: the rows. Index: the primary key.
delete from app.receipt_products
where receipt_id = $1
    and not is_unlocked
    and (download_key is null or expires_at <= $2::timestamptz)

-- name: add_receipt_user
-- Adds a user to a stored receipt, so that the nightly run finds it shared. A row stored without a
-- user becomes the user's; otherwise the user gets a new row. At most ten users. Returns whether a
-- row was added, and whether the limit was reached.
-- $1 text receipt_id, $2 text user_id, $3 timestamptz now.
-- Locks: the receipt's row, which is locked already. Indexes on receipt_id and on the digest.
with claimed as (
    update app.receipts
    set user_id = $2
    where receipt_id = $1 and user_id = receipt_id
    returning receipt_id
),

known as (
    select count(*) as rows, bool_or(own.user_id = $2) as has_user
    from app.receipts as own
    inner join app.receipts as r on r.receipt_sha256 = own.receipt_sha256
    where r.receipt_id = $1
),

added as (
    insert into app.receipts (
        receipt_id, receipt_sha256, user_id, bundle_id, receipt_data, stored_at
    )
    select
        r.receipt_id || '-' || known.rows,
        r.receipt_sha256,
        $2,
        r.bundle_id,
        r.receipt_data,
        $3::timestamptz
    from app.receipts as r
    cross join known
    where r.receipt_id = $1
        and not known.has_user
        and known.rows < 10
        and not exists (select from claimed)
    returning receipt_id
)

select
    exists (select from added) as is_added,
    not known.has_user and known.rows >= 10 and not exists (select from claimed) as is_full
from known

-- name: issue_download_keys
-- Stores the download keys of an answer before it is sent: one per asset, made for one product.
-- Rows of other products with the same asset get the expiry, but no key. Stores nothing when the
-- receipt was validated again in the meantime. Returns the number of stored keys.
-- $1 text receipt_id, $2 timestamptz when it was validated, $3 text key_id; {given} are those of
-- IssuedKey. Locks: the receipt's row, then its products. Index: primary keys.
with held as materialized (
    select receipt_id
    from app.receipts
    where receipt_id = $1 and validated_at = $2::timestamptz
    for no key update
),

issued as (
    update app.receipt_products as p
    set
        download_key = case when p.product_id = given.product_id then given.download_key end,
        key_id = case when p.product_id = given.product_id then $3 end,
        expires_at = least(given.expires_at, p.right_ends_at)
    from
        held,
        {given}
    where p.receipt_id = held.receipt_id
        and p.asset_id = given.asset_id
        and p.is_unlocked
    returning p.download_key
)

select count(download_key) as issued
from issued

-- name: find_download_key
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
