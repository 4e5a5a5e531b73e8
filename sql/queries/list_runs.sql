-- The newest runs, newest first, with numbers from summary.json, and what the views had when a run
-- over everything was cut and closed.
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
    case when r.is_everything then r.planned_users end as planned_users,
    case when r.is_everything then r.planned_receipts end as planned_receipts,
    case when r.is_everything then r.planned_entitlements end as planned_entitlements,
    r.at_close_users,
    r.at_close_receipts,
    r.at_close_entitlements,
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
