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
