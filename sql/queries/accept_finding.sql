-- Records an acceptance of a finding, or its undo.
-- $1 text finding_id, $2 text its kind, for an undo null, $3 text its user or null, $4 text who,
-- $5 text why, $6 timestamptz until or null, $7 boolean whether it is an undo. Locks: the new row.
-- Index acceptance_finding.
insert into reconcile.acceptance (
    finding_id, kind, user_id, accepted_by, reason, accepted_until, is_undone
)
values (
    $1::uuid,
    coalesce(
        $2,
        (
            select a.kind
            from reconcile.acceptance as a
            where a.finding_id = $1::uuid
            order by a.acceptance_no desc
            limit 1
        )
    ),
    $3, $4, $5, $6::timestamptz, $7::boolean
)
