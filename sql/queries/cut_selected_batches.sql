-- One batch for each of the named users, so that no range catches others; returns how many.
-- $1 text run_id, $2 text[] users, each once. Locks: the new rows.
with inserted as (
    insert into reconcile.batch (run_id, batch_no, first_user, last_user, users)
    select $1, named.position, named.user_id, named.user_id, 1
    from unnest($2::text[]) with ordinality as named (user_id, position)
    order by named.position
    returning batch_no
)
select count(*) as batches
from inserted
