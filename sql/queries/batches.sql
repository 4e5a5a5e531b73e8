-- Batches: the plan of a run, and reading their users.

-- name: cut_batches, long
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

-- name: cut_selected_batches, long
-- Makes one batch per named user, so that no range includes other users, and stores how many
-- users, receipts and entitlements that are. Does nothing for a run that is already cut.
-- $1 text run_id, $2 text[] users, each once. Locks: the run's row and the new rows. Indexes on the
-- views' user_id.
with named as (
    select
        named.user_id,
        named.position,
        (
            select count(*)
            from reconcile.stored_receipts as stored
            where stored.user_id = named.user_id
        ) as receipts,
        (
            select count(*)
            from reconcile.stored_entitlements as stored
            where stored.user_id = named.user_id
        ) as entitlements
    from unnest($2::text[]) with ordinality as named (user_id, position)
),
opened as (
    update reconcile.run
    set
        cut_at = now(),
        users_per_batch = 1,
        planned_users = (select count(*) from named),
        planned_receipts = (select coalesce(sum(receipts), 0) from named),
        planned_entitlements = (select coalesce(sum(entitlements), 0) from named)
    where run_id = $1 and cut_at is null
    returning run_id
)
insert into reconcile.batch (
    run_id, batch_no, first_user, last_user, users, receipts, entitlements
)
select
    opened.run_id,
    named.position,
    named.user_id,
    named.user_id,
    1,
    named.receipts,
    named.entitlements
from named
cross join opened
order by named.position

-- name: plan_batches, long
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

-- name: plan_selected_batches, long
-- Counts what cut_selected_batches would cut: the receipts of the named users. Writes nothing.
-- $1 text[] users, each once. No locks. Index on the view's user_id.
select count(*) as receipts
from reconcile.stored_receipts
where user_id = any($1::text[])

-- name: find_selected_users, long
-- Looks up named users and receipts. Returns 'user' or 'receipt', the id, whether it exists, and
-- the user or null, in the order of the names.
-- $1 text[] user ids, $2 text[] receipt ids. No locks. Indexes on the views' user_id and
-- receipt_id.
select
    'user' as named,
    asked.id,
    exists (select from reconcile.stored_receipts as r where r.user_id = asked.id)
    or exists (select from reconcile.stored_entitlements as e where e.user_id = asked.id) as found,
    asked.id as user_id,
    asked.position
from unnest($1::text[]) with ordinality as asked (id, position)
union all
select
    'receipt' as named,
    asked.id,
    stored.receipt_id is not null as found,
    stored.user_id,
    asked.position
from unnest($2::text[]) with ordinality as asked (id, position)
left join reconcile.stored_receipts as stored on stored.receipt_id = asked.id
order by named desc, position

-- name: run_plan
-- The plan of a run: its batches, and what the views had when it was cut.
-- $1 text run_id. No locks. Primary keys.
select
    (select count(*) from reconcile.batch as b where b.run_id = $1) as batches,
    coalesce(planned_users, 0) as users,
    coalesce(planned_receipts, 0) as receipts
from reconcile.run
where run_id = $1

-- name: batch_receipts
-- The receipts of a range of users, in the order and collation of the view's user_id. Texts over 32
-- MiB are cut: they are no receipts (the largest seen is 0.5 MB) and must not use up memory.
-- $1 text first user, $2 text last user, $3 text the previous portion's last user or null,
-- $4 text[] users to leave out. No locks. Index on the view's user_id.
select
    receipt_id,
    user_id,
    bundle_id,
    stored_at,
    case
        when octet_length(receipt_data) <= 33554432 then receipt_data
        else left(receipt_data, 1000)
    end as receipt_data
from reconcile.stored_receipts
where user_id between $1 and $2
    and ($3::text is null or user_id > $3)
    and user_id <> all($4::text[])
order by user_id, receipt_id

-- name: batch_entitlements
-- The entitlements of a range of users, in the order and collation of the view's user_id.
-- $1 text first user, $2 text last user, $3 text the previous portion's last user or null,
-- $4 text[] users to leave out. No locks. Index on the view's user_id.
select
    entitlement_id,
    user_id,
    product_id,
    original_transaction_id,
    is_active,
    expires_at,
    auto_renew,
    ownership,
    source,
    updated_at
from reconcile.stored_entitlements
where user_id between $1 and $2
    and ($3::text is null or user_id > $3)
    and user_id <> all($4::text[])
order by user_id, entitlement_id

-- name: group_receipts
-- The receipts of some users, in the order and collation of the view's user_id. Texts over 32 MiB
-- are cut: they are no receipts (the largest seen is 0.5 MB) and must not use up memory.
-- $1 text[] users. No locks. Index on the view's user_id.
select
    receipt_id,
    user_id,
    bundle_id,
    stored_at,
    case
        when octet_length(receipt_data) <= 33554432 then receipt_data
        else left(receipt_data, 1000)
    end as receipt_data
from reconcile.stored_receipts
where user_id = any($1::text[])
order by user_id, receipt_id

-- name: group_entitlements
-- The entitlements of some users, in the order and collation of the view's user_id.
-- $1 text[] users. No locks. Index on the view's user_id.
select
    entitlement_id,
    user_id,
    product_id,
    original_transaction_id,
    is_active,
    expires_at,
    auto_renew,
    ownership,
    source,
    updated_at
from reconcile.stored_entitlements
where user_id = any($1::text[])
order by user_id, entitlement_id

-- name: download_keys
-- The download keys of some receipts, expired ones included.
-- $1 text[] receipts. No locks. Index on the view's receipt_id.
select
    receipt_id,
    product_id,
    remote_product_id,
    download_key,
    expires_at
from reconcile.stored_download_keys
where receipt_id = any($1::text[])
    and product_id is not null
    and expires_at is not null
order by receipt_id collate "C", product_id collate "C", remote_product_id collate "C"

-- name: recorded_users
-- The users of a batch who are recorded or put off to a second look.
-- $1 text run_id, $2 int batch_no. No locks. Indexes user_result_batch and second_look_put_off.
select user_id
from reconcile.user_result
where run_no = (select run_no from reconcile.run where run_id = $1)
    and batch_no = $2::int
    and user_id is not null
union all
select user_id
from reconcile.second_look
where run_id = $1 and put_off_by = $2::int
