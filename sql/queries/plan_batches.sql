-- Counts what cut_batches would cut: batches, users and their receipts. Writes nothing.
-- $1 int users a batch at most, $2 int users at most or null. No locks. Scans both user_id columns
-- once; an index on them helps.
with users as (
    select
        stored.user_id,
        count(*) filter (where stored.is_receipt) as receipts
    from (
        select user_id, true as is_receipt from reconcile.stored_receipts
        union all
        select user_id, false as is_receipt from reconcile.stored_entitlements
    ) as stored
    where $2::bigint is null or stored.user_id is not null
    group by stored.user_id
    order by stored.user_id
    limit $2::bigint
),
counted as (
    select
        count(user_id) as users,
        count(*) - count(user_id) as batches_without_user,
        coalesce(sum(receipts), 0) as receipts,
        least($1::int, greatest(100, count(user_id) / 20)) as users_per_batch
    from users
)
select
    (users + users_per_batch - 1) / users_per_batch + batches_without_user as batches,
    users,
    receipts
from counted
