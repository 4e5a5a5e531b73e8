-- Acceptances of findings about a user, or of one finding, and their undos.
-- $1 text user_id or null, $2 text finding_id or null. No locks. Indexes acceptance_user and
-- acceptance_finding.
select
    replace(finding_id::text, '-', '') as finding_id,
    accepted_by,
    reason,
    accepted_until,
    accepted_at,
    is_undone
from reconcile.acceptance
where user_id = $1 or finding_id = $2::uuid
order by acceptance_no
