-- Records an acceptance of a finding, or its undo.
-- $1 text finding_id, $2 text its user or null, $3 text who, $4 text why, $5 timestamptz until or
-- null, $6 boolean whether it is an undo. Locks: the new row.
insert into reconcile.acceptance (
    finding_id, user_id, accepted_by, reason, accepted_until, is_undone
)
values ($1::uuid, $2, $3, $4, $5::timestamptz, $6::boolean)
