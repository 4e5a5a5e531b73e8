-- Stores the result figures of a run over everything, for its guards and those of later runs.
-- $1 text run_id. Locks: the rows. Index user_result_batch, primary key of the findings.
insert into reconcile.run_figure (run_id, name, subject, value)
select $1, figures.name, '', figures.value
from (
    select
        coalesce(sum(receipts_in_scope), 0) as receipts,
        coalesce(sum(entitlements_in_scope), 0) as entitlements,
        coalesce(sum(receipts_unusable), 0) as unusable,
        coalesce(sum(entitlements_not_judged), 0) as not_judged
    from reconcile.user_result
    -- Rows without a user are in no share.
    where run_no = (select run_no from reconcile.run where run_id = $1)
        and user_id is not null
) as totals
cross join lateral (
    values
    ('receipts', totals.receipts),
    ('entitlements', totals.entitlements),
    ('unusable', totals.unusable),
    ('not_judged', totals.not_judged)
) as figures (name, value)
union all
select $1, 'findings', kind, count(*)
from reconcile.finding
where run_id = $1
group by kind
union all
select $1, figures.name, money.subject, figures.value
from (
    select
        money_bucket || ' ' || currency as subject,
        sum(estimated_amount) as amount,
        count(*) as rows_with_amount
    from reconcile.finding
    where run_id = $1 and estimated_amount is not null
    group by money_bucket, currency
) as money
cross join lateral (
    values ('amount', money.amount), ('rows_with_amount', money.rows_with_amount)
) as figures (name, value)
on conflict (run_id, name, md5(subject)) do update set value = excluded.value
