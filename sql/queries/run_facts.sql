-- The start of a run, when its last user was recorded, Apple's notice of the end of an API,
-- and the previous published run over everything. For a replay, the run before the replayed one.
-- $1 text run_id. No locks. Primary keys, index run_earlier.
select
    r.started_at,
    r.retired_api,
    r.deprecation_header,
    r.deprecated_at,
    r.sunset_header,
    r.ends_at,
    coalesce(
        (select max(b.done_at) from reconcile.batch as b where b.run_id = $1),
        r.started_at
    ) as ended_at,
    (
        select p.run_id
        from reconcile.run as p
        where p.makes_history
            and p.state = 'published'
            and p.run_no < coalesce(
                (select b.run_no from reconcile.run as b where b.run_id = r.replay_of),
                r.run_no
            )
        order by p.run_no desc
        limit 1
    ) as previous_run_id
from reconcile.run as r
where r.run_id = $1
