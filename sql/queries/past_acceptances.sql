-- The findings of some users that were accepted when a run was opened, for longer than its as_of.
-- $1 text the run's id, $2 text[] users. No locks. Index acceptance_user.
select replace(last.finding_id::text, '-', '') as finding_id
from unnest($2::text[]) as named (user_id)
cross join (
    select as_of, started_at from reconcile.run where run_id = $1
) as this
cross join lateral (
    select distinct on (a.finding_id)
        a.finding_id,
        a.accepted_until
    from reconcile.acceptance as a
    where a.user_key = reconcile.name_key(named.user_id) and a.accepted_at <= this.started_at
    order by a.finding_id, a.acceptance_no desc
) as last
where last.accepted_until is null or last.accepted_until > this.as_of
order by last.finding_id
