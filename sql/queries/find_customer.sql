-- The users with a given user id, receipt or transaction in the results of published runs and of
-- one other run.
-- $1 text user_id or null, $2 text receipt_id or null, $3 text transaction or null, $4 text run_id.
-- No locks. Indexes judged_user_user, judged_user_transactions, outcome_receipt, finding_user.
with meant as (
    select r.run_id, r.run_no
    from reconcile.run as r
    where r.run_id = $4 or (r.state = 'published' and not r.is_trial)
)

select found.user_id
from (
    select j.user_id
    from reconcile.judged_user as j
    inner join meant as m on m.run_no = j.run_no
    where left(j.user_id, 100) collate "C" = left($1, 100) collate "C" and j.user_id = $1
    union
    select f.user_id
    from reconcile.finding as f
    inner join meant as m on m.run_id = f.run_id
    where f.user_id = $1
    union
    select o.user_id
    from reconcile.outcome as o
    where o.run_no = (select run_no from reconcile.run where run_id = $4)
        and hashtextextended(o.receipt_id, 0) = hashtextextended($2, 0)
        and o.receipt_id = $2
    union
    select j.user_id
    from reconcile.judged_user as j
    inner join meant as m on m.run_no = j.run_no
    where j.transactions @> to_jsonb(array[$3::text])
) as found
where found.user_id is not null
order by found.user_id collate "C"
limit 3
