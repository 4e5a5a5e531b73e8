-- The acceptances of findings that a run shows as accepted: who, why and until when.
-- $1 text run_id. No locks. Primary keys; index acceptance_finding.
select
    f.finding_id,
    f.kind,
    f.user_id,
    a.accepted_by,
    a.reason,
    a.accepted_until
from reconcile.run as r
inner join reconcile.run as past on past.run_id = coalesce(r.replay_of, r.run_id)
inner join reconcile.finding as f on f.run_id = r.run_id and f.lifecycle = 'accepted'
cross join lateral (
    select
        n.accepted_by,
        n.reason,
        n.accepted_until
    from reconcile.acceptance as n
    where n.finding_id = f.finding_id::uuid and n.accepted_at <= past.started_at
    order by n.acceptance_no desc
    limit 1
) as a
where r.run_id = $1
order by f.finding_id collate "C"
