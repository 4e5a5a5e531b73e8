-- The newest runs, newest first, with numbers from summary.json.
-- $1 int how many. No locks. Index of run_no.
select
    r.run_id,
    r.as_of,
    r.started_at,
    r.finished_at,
    r.state,
    r.is_trial,
    r.is_everything,
    r.replay_of is not null as is_replay,
    r.pruned_at is not null as is_pruned,
    r.summary ->> 'status' as status,
    (r.summary #>> '{controls,receipts,in_scope}')::bigint as receipts,
    coalesce((r.summary #>> '{findings,by_severity,critical}')::bigint, 0) as critical,
    coalesce((r.summary #>> '{findings,by_severity,high}')::bigint, 0) as high,
    coalesce((r.summary #>> '{findings,by_severity,medium}')::bigint, 0) as medium,
    coalesce((r.summary #>> '{findings,by_severity,low}')::bigint, 0) as low,
    coalesce((r.summary #>> '{findings,by_severity,info}')::bigint, 0) as info,
    (
        select
            string_agg(
                bucket.key || ' ' || amount.key || ' ' || amount.value, ','
                order by bucket.key collate "C", amount.key collate "C"
            )
        from json_each(r.summary -> 'money') as bucket
        cross join lateral json_each_text(bucket.value) as amount
    ) as money
from reconcile.run as r
order by r.run_no desc
limit $1
