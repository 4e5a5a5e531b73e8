-- Cuts all users, or the first $3, into ranges in the collation of the views' columns. If all users
-- are in scope, rows without a user get a batch. Does nothing for a run that is already cut.
-- A batch has $2 users, or fewer (down to 100) to get 20 batches, so that several workers share
-- them.
-- $1 text run_id, $2 int users a batch at most, $3 int users at most or null.
-- Locks: the run's row and the new rows. Scans both user_id columns; an index on them helps.
with users as (
    select user_id from reconcile.stored_receipts where user_id is not null
    union
    select user_id from reconcile.stored_entitlements where user_id is not null
    order by user_id
    limit $3::bigint
),
size as (
    select least($2::int, greatest(100, count(*) / 20))::int as users_per_batch
    from users
),
opened as (
    update reconcile.run
    set cut_at = now(), users_per_batch = size.users_per_batch
    from size
    where run.run_id = $1 and run.cut_at is null
    returning run.run_id
),
numbered as (
    select
        user_id,
        1 + (row_number() over (order by user_id) - 1) / size.users_per_batch as batch_no
    from users
    cross join size
),
cut as (
    select
        batch_no,
        min(user_id) as first_user,
        max(user_id) as last_user,
        count(*) as users
    from numbered
    group by batch_no
    union all
    select 1 + (select coalesce(max(batch_no), 0) from numbered), null, null, 0
    where $3::bigint is null
        and (
            exists (select from reconcile.stored_receipts where user_id is null)
            or exists (select from reconcile.stored_entitlements where user_id is null)
        )
)
insert into reconcile.batch (run_id, batch_no, first_user, last_user, users)
select opened.run_id, cut.batch_no, cut.first_user, cut.last_user, cut.users
from cut
cross join opened
order by cut.batch_no
