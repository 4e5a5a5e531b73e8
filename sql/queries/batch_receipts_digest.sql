-- A number that changes when a receipt of a range of users is added, removed, moved, or stored
-- anew; and the moment, in milliseconds, from which a time of storing counts as anew. A view may
-- make up its time of storing at every reading, so an older one says nothing.
-- $1 text first user, $2 text last user, $3 bigint that moment; null: a minute ago, since the
-- clock that stores may be behind ours.
-- No locks. Index on the view's user_id; the receipts' data is not read, which counting whole rows
-- would do.
with moment as (
    select coalesce($3, reconcile.milliseconds(clock_timestamp() - interval '1 minute')) as since
)
select
    count(user_id)
    + coalesce(
        sum(
            hashtextextended(
                user_id,
                hashtextextended(
                    coalesce(receipt_id, ''),
                    greatest(coalesce(reconcile.milliseconds(stored_at), since), since)
                )
            )
        ),
        0
    ) as digest,
    since
from
    moment
    left join reconcile.stored_receipts as receipts on user_id between $1 and $2
group by since
