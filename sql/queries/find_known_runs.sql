-- The runs whose id begins with $1; for null a published run over everything: the newest for 0, the
-- one before it for 1.
-- $1 text or null, $2 bigint. No locks. Reads the table of runs; index run_earlier.
select
    r.run_id,
    r.run_no,
    r.as_of,
    r.state,
    r.is_trial,
    r.makes_history,
    r.replay_of,
    r.rules_version,
    coalesce(r.is_complete, false) as is_complete,
    coalesce(r.summary ->> 'code_version', r.code_version) as code_version,
    r.pruned_at is not null as is_pruned,
    r.summary::text as summary,
    r.summary ->> 'status' as status,
    r.summary ->> 'previous_run' as previous_run,
    encode(r.manifest_sha256, 'hex') as manifest_sha256,
    coalesce((r.settings ->> 'offline')::boolean, false) as is_offline,
    coalesce(r.settings ->> 'csv_dialect', 'plain') as csv_dialect,
    (r.summary #>> '{findings,total}')::bigint as published_findings,
    (
        select string_agg(bucket.key || ' ' || amount.key || ' ' || amount.value, ',')
        from json_each(r.summary -> 'money') as bucket
        cross join lateral json_each_text(bucket.value) as amount
    ) as published_money,
    (
        select string_agg(distinct currency.key, ',')
        from json_each(r.summary -> 'money') as bucket
        cross join lateral json_each_text(bucket.value) as currency
    ) as currencies
from reconcile.run as r
where
    case
        when $1::text is not null then starts_with(r.run_id, $1)
        else r.run_id = (
            select newest.run_id
            from reconcile.run as newest
            where newest.makes_history and newest.state = 'published'
            order by newest.run_no desc
            limit 1 offset $2::bigint
        )
    end
order by r.run_id
limit 3
