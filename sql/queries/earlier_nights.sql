-- The summary numbers of earlier nightly runs, newest first: the runs that the run's own summary
-- lists, else up to 29. For a replay, the runs before the replayed one.
-- $1 text run_id. No locks. Primary key, index run_earlier.
with this as (
    select r.summary, coalesce(b.run_no, r.run_no) as run_no
    from reconcile.run as r
    left join reconcile.run as b on b.run_id = r.replay_of
    where r.run_id = $1
),

night as (
    select e.value as told, e.ordinality as ordinal
    from this as t
    cross join lateral json_array_elements(t.summary -> 'earlier_nights')
        with ordinality as e (value, ordinality)
    union all
    (
        select
            json_build_object(
                'run_id', p.run_id,
                'as_of', p.summary -> 'as_of',
                'status', p.summary -> 'status',
                'findings', p.summary #> '{findings,total}',
                'money', p.summary -> 'money'
            ) as told,
            row_number() over (order by p.run_no desc) as ordinal
        from this as t
        inner join reconcile.run as p on p.run_no < t.run_no
        where t.summary is null
            and p.makes_history
            and p.state = 'published'
            and p.summary is not null
        order by p.run_no desc
        limit 29
    )
)

select
    n.told ->> 'run_id' as run_id,
    (n.told ->> 'as_of')::timestamptz as as_of,
    n.told ->> 'status' as status,
    (n.told ->> 'findings')::bigint as findings,
    (
        select
            string_agg(
                bucket.key || ' ' || amount.key || ' ' || amount.value, ','
                order by bucket.key collate "C", amount.key collate "C"
            )
        from json_each(n.told -> 'money') as bucket
        cross join lateral json_each_text(bucket.value) as amount
    ) as money
from night as n
order by n.ordinal
