-- The findings about a user in a run and in the published runs over everything before it, newest
-- run first. {finding_columns} are those of FindingColumn.
-- $1 text user_id, $2 bigint the run's run_no. No locks. Index finding_user.
select
    f.run_id,
    r.as_of as judged_at,
    r.makes_history and r.state = 'published' as counts,
    {finding_columns}
from reconcile.finding as f
inner join (
    select own.run_id, own.run_no, own.as_of, own.makes_history, own.state
    from reconcile.run as own
    where own.run_no = $2::bigint
        or (own.run_no < $2::bigint and own.makes_history and own.state = 'published')
) as r on r.run_id = f.run_id
where f.user_id = $1
order by r.run_no desc, f.severity_rank, f.finding_id
limit 1000
