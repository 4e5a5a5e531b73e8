-- The findings among $2 that were accepted when a run was opened, until after its as_of.
-- $1 text run_id, $2 text[] finding_ids. No locks. Index acceptance_finding.
select replace(last.finding_id::text, '-', '') as finding_id
from (
    select as_of, started_at from reconcile.run where run_id = $1
) as this
cross join lateral (
    select distinct on (a.finding_id)
        a.finding_id,
        a.accepted_until,
        a.is_undone
    from reconcile.acceptance as a
    where a.finding_id = any($2::uuid[]) and a.accepted_at <= this.started_at
    order by a.finding_id, a.acceptance_no desc
) as last
where not last.is_undone
    and (last.accepted_until is null or last.accepted_until > this.as_of)
order by last.finding_id
