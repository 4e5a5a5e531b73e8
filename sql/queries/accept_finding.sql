-- Notes that somebody accepts a finding.
-- $1 text finding_id, $2 text its user or null, $3 text who, $4 text why, $5 timestamptz until when
-- or null. Locks: the new row.
insert into reconcile.acceptance (
    finding_id, user_key, accepted_by, reason, accepted_until
)
values ($1::uuid, reconcile.name_key($2), $3, $4, $5::timestamptz)
