-- Cuts all users, or the first $3, into ranges in the collation of the views' columns, and stores
-- how many users, receipts and entitlements they have: one statement, so one snapshot. If all users
-- are in scope, rows without a user count as receipts and entitlements, and get a batch. Does
-- nothing for a run that is already cut.
-- A batch has $2 users, or fewer (down to 100) to get 20 batches, so that several workers share
-- them.
-- $1 text run_id, $2 int users a batch at most, $3 int users at most or null.
-- Locks: the run's row and the new rows. Scans both user_id columns once; an index on them helps.
with users as (
    select
        stored.user_id,
        row_number() over (order by stored.user_id) as position,
        count(*) filter (where stored.is_receipt) as receipts,
        count(*) filter (where not stored.is_receipt) as entitlements
    from (
        select user_id, true as is_receipt from reconcile.stored_receipts
        union all
        select user_id, false as is_receipt from reconcile.stored_entitlements
    ) as stored
    where $3::bigint is null or stored.user_id is not null
    group by stored.user_id
    order by stored.user_id
    limit $3::bigint
),
counted as (
    select
        count(user_id) as users,
        coalesce(sum(receipts), 0) as receipts,
        coalesce(sum(entitlements), 0) as entitlements,
        least($2::int, greatest(100, count(user_id) / 20))::int as users_per_batch
    from users
),
opened as (
    update reconcile.run
    set
        cut_at = now(),
        users_per_batch = counted.users_per_batch,
        planned_users = counted.users,
        planned_receipts = counted.receipts,
        planned_entitlements = counted.entitlements
    from counted
    where run.run_id = $1 and run.cut_at is null
    returning run.run_id
),
numbered as (
    select
        users.user_id,
        users.receipts,
        users.entitlements,
        1 + (users.position - 1) / counted.users_per_batch as batch_no
    from users
    cross join counted
    where users.user_id is not null
),
cut as (
    select
        batch_no,
        min(user_id) as first_user,
        max(user_id) as last_user,
        count(*) as users,
        sum(receipts) as receipts,
        sum(entitlements) as entitlements
    from numbered
    group by batch_no
    union all
    select
        1 + (select coalesce(max(batch_no), 0) from numbered),
        null,
        null,
        0,
        receipts,
        entitlements
    from users
    where user_id is null
)
insert into reconcile.batch (
    run_id, batch_no, first_user, last_user, users, receipts, entitlements
)
select
    opened.run_id,
    cut.batch_no,
    cut.first_user,
    cut.last_user,
    cut.users,
    cut.receipts,
    cut.entitlements
from cut
cross join opened
order by cut.batch_no
