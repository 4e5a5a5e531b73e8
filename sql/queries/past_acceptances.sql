-- The findings of some users that were accepted when a run was opened, until after its as_of.
-- $1 text run_id, $2 text[] users. No locks. Index acceptance_user.
select
    replace(last.finding_id::text, '-', '') as finding_id,
    last.user_id
from (
    select as_of, started_at from reconcile.run where run_id = $1
) as this
cross join lateral (
    select distinct on (a.finding_id)
        a.finding_id,
        a.user_id,
        a.accepted_until,
        a.is_undone
    from unnest($2::text[]) as wanted (user_id)
    cross join lateral (
        select
            n.acceptance_no,
            n.finding_id,
            n.user_id,
            n.accepted_until,
            n.accepted_at,
            n.is_undone
        from reconcile.acceptance as n
        where n.user_id = wanted.user_id
        offset 0
    ) as a
    where a.accepted_at <= this.started_at
    order by a.finding_id, a.acceptance_no desc
) as last
where not last.is_undone
    and (last.accepted_until is null or last.accepted_until > this.as_of)
order by last.finding_id
