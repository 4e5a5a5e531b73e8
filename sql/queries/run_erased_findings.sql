-- How many findings of a kind, and how much money, a run had of its erased users.
-- $1 text run_id, $2 bigint only the first so many users, or null. No locks. Indexes erasure_run,
-- erased_finding_erasure.
select
    f.kind,
    f.money_bucket,
    f.currency,
    sum(f.findings) as findings,
    sum(f.amount)::text as amount
from (
    select own.erasure_no
    from reconcile.erasure as own
    where own.run_id = $1
    order by own.erasure_no
    limit $2::bigint
) as e
inner join reconcile.erased_finding as f on f.erasure_no = e.erasure_no
group by f.kind, f.money_bucket, f.currency
order by f.kind, f.money_bucket, f.currency
