-- Counts what cut_batches would cut: batches, users and the last user. Writes nothing.
-- $1 int users a batch at most, $2 int users at most or null. No locks. Scans both user_id columns;
-- an index on them helps.
with users as (
    select user_id from reconcile.stored_receipts where user_id is not null
    union
    select user_id from reconcile.stored_entitlements where user_id is not null
    order by user_id
    limit $2::bigint
),
size as (
    select
        count(*) as users,
        max(user_id) as last_user,
        least($1::int, greatest(100, count(*) / 20)) as users_per_batch
    from users
)
select
    (users + users_per_batch - 1) / users_per_batch + case
        when $2::bigint is null
            and (
                exists (select from reconcile.stored_receipts where user_id is null)
                or exists (select from reconcile.stored_entitlements where user_id is null)
            ) then 1
        else 0
    end as batches,
    users,
    last_user
from size
