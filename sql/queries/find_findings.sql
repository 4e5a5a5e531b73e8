-- The findings whose id is in a range: each from the run that is named, else from the newest
-- published run that has it (no trial and no replay; runs over everything first), else from any
-- other run.
-- $1 text the first id of the range, $2 text the last, $3 text run_id or null. No locks. Primary
-- keys, one lookup per run.
select
    found.finding_id,
    found.kind,
    found.user_id,
    found.run_id,
    found.state,
    found.is_trial,
    found.is_replay,
    found.is_everything,
    found.is_meant
from (
    select distinct on (f.finding_id)
        f.finding_id,
        f.kind,
        f.user_id,
        r.run_id,
        r.state,
        r.is_trial,
        r.replay_of is not null as is_replay,
        r.is_everything,
        rank.is_named or rank.is_published as is_meant
    from reconcile.run as r
    cross join lateral (
        select
            coalesce(r.run_id = $3, false) as is_named,
            r.state = 'published' and not r.is_trial and r.replay_of is null as is_published
    ) as rank
    inner join reconcile.finding as f
        on f.run_id = r.run_id and f.finding_id >= $1 and f.finding_id <= $2
    order by
        f.finding_id,
        rank.is_named desc,
        rank.is_published desc,
        r.makes_history desc,
        r.run_no desc
) as found
order by found.is_meant desc, found.finding_id
limit 3
