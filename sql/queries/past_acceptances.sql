-- The findings of some users that were accepted when a run was opened, for longer than its as_of.
-- $1 text the run's id, $2 bigint[] the users' keys (name_key). No locks. Index acceptance_user.
select replace(last.finding_id::text, '-', '') as finding_id
from (
    select as_of, started_at from reconcile.run where run_id = $1
) as this
cross join lateral (
    select distinct on (a.finding_id)
        a.finding_id,
        a.accepted_until
    from reconcile.acceptance as a
    where a.user_key = any($2::bigint[]) and a.accepted_at <= this.started_at
    order by a.finding_id, a.acceptance_no desc
) as last
where last.accepted_until is null or last.accepted_until > this.as_of
order by last.finding_id
