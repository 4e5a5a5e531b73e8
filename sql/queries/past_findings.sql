-- How earlier runs left the findings of some users: the last change of each.
-- $1 text the run's id, $2 bigint[] the users' keys (name_key). Returns the key, finding, change,
-- first_seen, and the number of the run that reported it last while it is open. No locks. Index
-- finding_change_user; a look at the run of each change: `is true` keeps it from being joined,
-- which reads all runs.
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
select distinct on (c.user_key, c.finding_id)
    c.user_key,
    replace(c.finding_id::text, '-', '') as finding_id,
    c.change,
    c.first_seen,
    case c.change
        when 'held' then c.last_run_no
        when 'reported' then (select run_no from last_run)
    end as last_reported
from reconcile.finding_change as c
where c.user_key = any($2::bigint[])
    and c.run_no < (select run_no from this)
    and not c.across_users
    and exists (
        select from reconcile.run as r where r.run_no = c.run_no and r.state = 'published'
    ) is true
order by c.user_key, c.finding_id, c.run_no desc
