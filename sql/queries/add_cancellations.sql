-- Keeps which transactions a batch saw cancelled.
-- $1 text run_id; an element for each: $2 text[] users, $3 text[] transactions,
-- $4 timestamptz[] when they were cancelled, $5 bool[] reported, $6 bool[] reversed.
-- Locks: the new rows.
insert into reconcile.cancellation (
    run_no, user_key, transaction_key, cancelled_at, is_reported, is_reversed, transaction_id
)
select
    r.run_no,
    reconcile.name_key(c.user_id),
    reconcile.name_key(c.transaction_id),
    c.cancelled_at,
    c.is_reported,
    c.is_reversed,
    c.transaction_id
from unnest($2::text[], $3::text[], $4::timestamptz[], $5::boolean[], $6::boolean[])
    as c (user_id, transaction_id, cancelled_at, is_reported, is_reversed)
cross join reconcile.run as r
where r.run_id = $1
