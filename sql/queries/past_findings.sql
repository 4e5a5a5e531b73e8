-- How earlier runs left the findings of some users: the last change of each.
-- $1 text the run's id, $2 text[] users. Returns user, finding, change, first_seen, and the number
-- of the run that reported it last while it is open. No locks. Index finding_change_user; a look at
-- the run of each change: `is true` keeps it from being joined, which reads all runs for each user.
with this as (
    select run_no from reconcile.run where run_id = $1
),
last_run as (
    select r.run_no
    from reconcile.run as r
    cross join this
    where r.makes_history and r.state = 'published' and r.run_no < this.run_no
    order by r.run_no desc
    limit 1
)
select
    named.user_id,
    replace(last.finding_id::text, '-', '') as finding_id,
    last.change,
    reconcile.milliseconds(last.first_seen) as first_seen,
    case last.change
        when 'held' then last.last_run_no
        when 'reported' then (select run_no from last_run)
    end as last_reported
from unnest($2::text[]) as named (user_id)
cross join lateral (
    select distinct on (c.finding_id)
        c.finding_id,
        c.change,
        c.first_seen,
        c.last_run_no
    from reconcile.finding_change as c
    where c.user_key = reconcile.name_key(named.user_id)
        and c.run_no < (select run_no from this)
        and not c.across_users
        and exists (
            select from reconcile.run as r where r.run_no = c.run_no and r.state = 'published'
        ) is true
    order by c.finding_id, c.run_no desc
) as last
order by named.user_id collate "C", last.finding_id
