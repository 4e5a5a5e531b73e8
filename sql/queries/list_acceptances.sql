-- The currently accepted findings with their details.
-- No parameters. No locks. Index acceptance_finding.
select
    replace(a.finding_id::text, '-', '') as finding_id,
    a.user_id,
    a.accepted_by,
    a.reason,
    a.accepted_until,
    a.kind
from (
    select distinct on (n.finding_id)
        n.finding_id,
        n.kind,
        n.user_id,
        n.accepted_by,
        n.reason,
        n.accepted_until,
        n.accepted_at,
        n.is_undone
    from reconcile.acceptance as n
    order by n.finding_id, n.acceptance_no desc
) as a
where not a.is_undone and (a.accepted_until is null or a.accepted_until > now())
order by a.accepted_at, a.finding_id
