-- Makes one batch per named user, so that no range includes other users, and stores how many
-- users, receipts and entitlements that are. Does nothing for a run that is already cut.
-- $1 text run_id, $2 text[] users, each once. Locks: the run's row and the new rows. Indexes on the
-- views' user_id.
with opened as (
    update reconcile.run
    set
        cut_at = now(),
        users_per_batch = 1,
        planned_users = cardinality($2::text[]),
        planned_receipts = (
            select count(*) from reconcile.stored_receipts where user_id = any($2::text[])
        ),
        planned_entitlements = (
            select count(*) from reconcile.stored_entitlements where user_id = any($2::text[])
        )
    where run_id = $1 and cut_at is null
    returning run_id
)
insert into reconcile.batch (run_id, batch_no, first_user, last_user, users)
select opened.run_id, named.position, named.user_id, named.user_id, 1
from unnest($2::text[]) with ordinality as named (user_id, position)
cross join opened
order by named.position
