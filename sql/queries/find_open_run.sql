-- An unfinished run, and whether it may be resumed or joined. To resume: the last one of the same
-- scope, else the last one over everything. To join: one with a live worker, preferably over
-- everything. Replays are excluded.
-- $1 jsonb settings, $2 int users at most or null, $3 text[] users or null, $4 text[] receipts or
-- null, $5 boolean whether to join, $6 boolean whether it is a trial. No locks. Index run_open.
select
    run_id,
    as_of,
    rules_version,
    cut_at is not null as is_cut,
    settings - '{max_unverified,guards,csv_dialect}'::text[]
    = $1::jsonb - '{max_unverified,guards,csv_dialect}'::text[] as has_same_settings,
    settings - '{servers,max_unverified,guards,csv_dialect}'::text[]
    = $1::jsonb - '{servers,max_unverified,guards,csv_dialect}'::text[] as has_same_rules,
    r.scope = wanted.scope and r.is_trial = $6::boolean as has_same_scope,
    has_worker.is_so as has_worker,
    coalesce((settings ->> 'offline')::boolean, false) as is_offline,
    coalesce(settings ->> 'csv_dialect', 'plain') as csv_dialect,
    r.is_trial,
    settings ->> 'max_unverified' as max_unverified,
    settings ->> 'guards' as guards,
    evidence,
    (select b.rate from reconcile.rate_bucket as b where b.server = 'production') as rate,
    (select b.rate from reconcile.rate_bucket as b where b.server = 'sandbox') as sandbox_rate
from reconcile.run as r
cross join (
    select jsonb_strip_nulls(
        jsonb_build_object('limit', $2::int, 'users', $3::text[], 'receipts', $4::text[])
    ) as scope
) as wanted
cross join lateral (
    select exists (
        select
        from reconcile.live_worker as l
        inner join reconcile.worker as w on w.worker_no = l.worker_no
        where w.run_id = r.run_id
    ) as is_so
) as has_worker
where state = 'open' and replay_of is null
order by
    case
        when $5::boolean then has_worker.is_so
        else r.scope = wanted.scope and r.is_trial = $6::boolean
    end desc,
    makes_history desc,
    run_no desc
limit 1
