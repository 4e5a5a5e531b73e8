-- The facts behind a run's verdicts on a user, one row per right, in the order of judging. A night
-- stores a record only if it differs from that of the last published night, so they come from the
-- night itself or the newest published one before it; for another run from the run itself. The keys
-- are those of JudgedRecord, which leaves out the values that most rights have.
-- $1 bigint run_no, $2 text user_id, $3 boolean whether the run is a night, published or not. No
-- locks. Index judged_user_user.
select
    el.value ->> 'g' as right_name,
    coalesce(el.value ->> 'v', 'consistent') as outcome,
    el.value ->> 'k' as kind,
    el.value ->> 'c' as cause,
    el.value ->> 'f' as paid_app,
    coalesce(el.value ->> 'n', '0') as others,
    el.value ->> 'e' as entitlement_id,
    el.value ->> 'p' as product_id,
    coalesce(el.value ->> 's', 'app_store') as source,
    coalesce((el.value ->> 'a')::boolean, true) as is_active,
    el.value ->> 'x' as expires_at,
    el.value ->> 'o' as original_transaction_id,
    (el.value ->> 'w')::boolean as auto_renew,
    el.value ->> 'h' as ownership,
    el.value ->> 'u' as updated_at,
    case when el.value -> 'y' is not null then coalesce(el.value #>> '{y,s}', 'active') end
        as apple_state,
    coalesce(el.value #>> '{y,k}', 'auto_renewable') as apple_kind,
    coalesce(el.value #>> '{y,p}', el.value ->> 'p') as apple_product_id,
    el.value #>> '{y,t}' as apple_transaction_id,
    el.value #>> '{y,o}' as apple_original_transaction_id,
    el.value #>> '{y,b}' as apple_purchased_at,
    coalesce(el.value #> '{y,x}', el.value -> 'x') #>> '{}' as apple_expires_at,
    coalesce(el.value #> '{y,e}', el.value #> '{y,x}', el.value -> 'x') #>> '{}' as apple_ends_at,
    el.value #>> '{y,g}' as apple_gone_at,
    el.value #>> '{y,r}' as apple_grace_period_expires_at,
    coalesce(el.value #> '{y,h}', '"PURCHASED"') #>> '{}' as apple_ownership,
    el.value #>> '{y,l}' as apple_line_item,
    coalesce((el.value #>> '{y,i}')::boolean, false) as apple_is_trial,
    (el.value #>> '{y,w}')::boolean as apple_will_renew,
    el.value #>> '{y,y}' as apple_reason,
    coalesce(el.value #>> '{y,c}', kept.record #>> '{r,0}') as apple_receipt_id,
    el.value #>> '{y,n}' as apple_bundle_id,
    coalesce(el.value #>> '{y,v}', 'Production') as apple_environment
from (
    select j.record
    from reconcile.judged_user as j
    inner join reconcile.run as r on r.run_no = j.run_no
    where left(j.user_id, 100) collate "C" = left($2, 100) collate "C"
        and j.user_id = $2
        and r.run_no <= $1::bigint
        and case
            when $3::boolean
                then r.run_no = $1::bigint or (r.makes_history and r.state = 'published')
            else r.run_no = $1::bigint
        end
    order by r.run_no desc
    limit 1
) as kept
cross join lateral json_array_elements(kept.record -> 'v') with ordinality as el (value, ordinal)
order by el.ordinal
