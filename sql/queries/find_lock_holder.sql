-- The holder of the run lock (process, host, program, since when) and the open run that makes
-- history, since a trial holds no lock. Columns that the role may not see are null.
-- No parameters. No locks.
select
    l.pid,
    coalesce(
        (
            select w.name
            from reconcile.live_worker as alive
            inner join reconcile.worker as w on w.worker_no = alive.worker_no
            where alive.pid = l.pid
            order by w.worker_no desc
            limit 1
        ),
        nullif(a.application_name, '')
    ) as name,
    a.backend_start as since,
    (
        select r.run_id
        from reconcile.run as r
        where r.state = 'open' and r.makes_history
        order by r.run_id desc
        limit 1
    ) as run_id
from pg_catalog.pg_locks as l
left join pg_catalog.pg_stat_activity as a on a.pid = l.pid
where l.locktype = 'advisory'
    and l.database = (select oid from pg_catalog.pg_database where datname = current_database())
    and l.classid = 7387
    and l.objid = 2
    and l.objsubid = 2
    and l.granted
order by l.pid
limit 1
