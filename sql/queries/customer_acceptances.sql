-- Acceptances of findings about a user, and their undos.
-- $1 text user_id. No locks. Index acceptance_user.
select
    replace(finding_id::text, '-', '') as finding_id,
    accepted_by,
    reason,
    accepted_until,
    accepted_at,
    is_undone
from reconcile.acceptance
where user_id = $1
order by acceptance_no
