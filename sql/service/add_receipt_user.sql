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
