-- Stores why a run is implausible, in the given order.
-- $1 text run_id, $2 text[] guards, $3 text[] flags, $4 text[] reasons. Locks: the new rows.
insert into reconcile.held_reason (run_id, reason_no, guard, flag, reason)
select $1, held.reason_no, held.guard, held.flag, held.reason
from unnest($2::text[], $3::text[], $4::text[])
    with ordinality as held (guard, flag, reason, reason_no)
