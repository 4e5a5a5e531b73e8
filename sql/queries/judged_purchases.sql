-- The purchases that gave or had given a user rights in the published runs of the last 30 days,
-- newest run first. A run that kept no record of the user judged as the one before it. Keys as in
-- judged_rights.sql.
-- $1 text the run_id before which, or an unknown one for all runs; $2 text user_id; $3 timestamptz
-- the instant 30 days after the first of them. No locks. Index judged_user_user.
with past as (
    select
        r.run_id,
        r.run_no,
        r.as_of
    from reconcile.run as r
    where r.makes_history
        and r.state = 'published'
        and r.run_no < coalesce(
            (select own.run_no from reconcile.run as own where own.run_id = $1), r.run_no + 1
        )
),
kept as (
    select
        j.record,
        past.run_no,
        lead(past.run_no) over (order by past.run_no) as next_no
    from reconcile.judged_user as j
    inner join past on past.run_no = j.run_no
    where left(j.user_id, 100) collate "C" = left($2, 100) collate "C"
        and j.user_id = $2
)
select
    coalesce(el.value #>> '{y,s}', 'active') as apple_state,
    coalesce(el.value #>> '{y,k}', 'auto_renewable') as apple_kind,
    coalesce(el.value #>> '{y,p}', el.value ->> 'p') as apple_product_id,
    el.value #>> '{y,t}' as apple_transaction_id,
    el.value #>> '{y,o}' as apple_original_transaction_id,
    el.value #>> '{y,l}' as apple_line_item,
    el.value #>> '{y,b}' as apple_purchased_at,
    coalesce(el.value #> '{y,x}', el.value -> 'x') #>> '{}' as apple_expires_at,
    coalesce(el.value #> '{y,e}', el.value #> '{y,x}', el.value -> 'x') #>> '{}' as apple_ends_at
from kept
cross join lateral json_array_elements(kept.record -> 'v') with ordinality as el (value, ordinal)
where el.value -> 'y' is not null
    and exists(
        select
        from past
        where past.run_no >= kept.run_no
            and (kept.next_no is null or past.run_no < kept.next_no)
            and past.as_of >= $3::timestamptz - interval '30 days'
    )
order by kept.run_no desc, el.ordinal
