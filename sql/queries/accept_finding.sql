-- Notes that an operator accepts a finding, or undoes that.
-- $1 text finding_id, $2 text its user or null, $3 text who, $4 text why, $5 timestamptz until when
-- or null, $6 boolean whether it takes an acceptance back. Locks: the new row.
insert into reconcile.acceptance (
    finding_id, user_id, accepted_by, reason, accepted_until, is_undone
)
values ($1::uuid, $2, $3, $4, $5::timestamptz, $6::boolean)
