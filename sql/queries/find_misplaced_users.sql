-- Whether views over foreign tables compare users as this database does. Users are cut into ranges
-- in the order of this database, as cut_batches cuts them, but into 500 ranges at most; then the
-- rows of each range are read through the views, so that a foreign server that evaluates the
-- condition compares with its own collation. Returns the views that give a range other rows than
-- are in it by this database's order. One statement, so that changes meanwhile play no part.
-- $1 text[] names of the views with foreign tables.
-- No locks. Reads both user_id columns of these views twice.
with stored as materialized (
    -- Materialized, so that no foreign server sorts or compares.
    select 'stored_receipts' as view_name, user_id
    from reconcile.stored_receipts
    where user_id is not null
    union all
    select 'stored_entitlements', user_id
    from reconcile.stored_entitlements
    where user_id is not null
),
users as materialized (
    select user_id, row_number() over (order by user_id) - 1 as position, count(*) over () as total
    from (select distinct user_id from stored) as each_once
),
ranges as materialized (
    -- Of the default collation, like a parameter: only then is the condition sent to the server.
    select
        min(user_id) collate "default" as first_user,
        max(user_id) collate "default" as last_user
    from users
    group by position / greatest(least(200, greatest(100, total / 20)), total / 500)
),
found as materialized (
    select 'stored_receipts' as view_name, r.first_user, r.last_user, s.user_id
    from ranges as r
    cross join lateral (
        select user_id
        from reconcile.stored_receipts
        where user_id between r.first_user and r.last_user
        offset 0
    ) as s
    where 'stored_receipts' = any($1::text[])
    union all
    select 'stored_entitlements', r.first_user, r.last_user, s.user_id
    from ranges as r
    cross join lateral (
        select user_id
        from reconcile.stored_entitlements
        where user_id between r.first_user and r.last_user
        offset 0
    ) as s
    where 'stored_entitlements' = any($1::text[])
)
select view_name
from unnest($1::text[]) as asked (view_name)
where
    (select count(*) from stored as s where s.view_name = asked.view_name)
    <> (select count(*) from found as f where f.view_name = asked.view_name)
    or exists (
        select
        from found as f
        where f.view_name = asked.view_name
            and not f.user_id between f.first_user and f.last_user
    )
order by view_name
