-- A number that changes when a receipt of a range of users is added, removed, moved or
-- stored anew.
-- $1 text first user, $2 text last user. No locks. Index on the view's user_id; the receipts' data
-- is not read.
select
    count(*)
    + coalesce(
        sum(
            hashtextextended(
                user_id,
                hashtextextended(
                    coalesce(receipt_id, ''), coalesce(reconcile.milliseconds(stored_at), 0)
                )
            )
        ),
        0
    )
from reconcile.stored_receipts
where user_id between $1 and $2
