-- The run that has not ended, with what tells whether it may be continued: the one that is worked
-- on, else rather one of the same scope that is no replay, else the last.
-- $1 jsonb settings, $2 int users at most or null, $3 text[] users or null, $4 text[] receipts or
-- null. No locks. Index run_open.
select
    run_id,
    reconcile.milliseconds(as_of) as as_of,
    scope,
    rules_version,
    cut_at is not null as is_cut,
    settings - '{max_unverified,evidence}'::text[]
    = $1::jsonb - '{max_unverified,evidence}'::text[] as has_same_settings,
    settings - '{servers,max_unverified,evidence}'::text[]
    = $1::jsonb - '{servers,max_unverified,evidence}'::text[] as has_same_rules,
    scope = jsonb_strip_nulls(
        jsonb_build_object('limit', $2::int, 'users', $3::text[], 'receipts', $4::text[])
    ) as has_same_scope,
    replay_of,
    exists (
        select
        from pg_catalog.pg_locks as l
        inner join reconcile.worker as w on l.objid = w.worker_no::oid
        where w.run_id = r.run_id
            and l.locktype = 'advisory'
            and l.database
            = (select oid from pg_catalog.pg_database where datname = current_database())
            and l.classid = 7388
            and l.objsubid = 2
            and l.granted
    ) as has_worker,
    coalesce((settings ->> 'offline')::boolean, false) as is_offline,
    settings ->> 'max_unverified' as max_unverified,
    settings ->> 'evidence' as evidence,
    (select b.rate from reconcile.rate_bucket as b where b.environment = 'Production') as rate,
    (select b.rate from reconcile.rate_bucket as b where b.environment = 'Sandbox') as sandbox_rate
from reconcile.run as r
where state = 'open'
order by has_worker desc, replay_of is null desc, has_same_scope desc, run_id desc
limit 1
