-- The receipts of a user in a run: those in the newest record of the verdicts up to the run, with
-- their outcomes in the run.
-- $1 bigint run_no, $2 text user_id, $3 boolean whether the run is a night, even an unpublished
-- one. No locks. Indexes judged_user_user and outcome_receipt.
select
    named.receipt_id,
    o.bundle_id,
    o.outcome,
    o.cause,
    o.server,
    o.answered_at,
    o.last_status,
    o.detail
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
cross join lateral json_array_elements_text(kept.record -> 'r') as named (receipt_id)
left join reconcile.outcome as o
    on o.run_no = $1::bigint
    and hashtextextended(o.receipt_id, 0) = hashtextextended(named.receipt_id, 0)
    and o.receipt_id = named.receipt_id
order by named.receipt_id collate "C"
