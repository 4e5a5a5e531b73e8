-- Some transactions that earlier runs saw cancelled, as they were last seen of anybody.
-- $1 text the run's id, $2 text[] transactions. Returns transaction, time, whether any user's
-- refund was reported, and whether it was last said to be reversed. No locks. Index
-- cancellation_transaction. `is true` as in past_findings.
select
    named.transaction_id,
    last.cancelled_at,
    last.is_reported,
    last.is_reversed
from unnest($2::text[]) as named (transaction_id)
cross join lateral (
    select
        c.cancelled_at,
        bool_or(c.is_reported) over () as is_reported,
        c.is_reversed
    from reconcile.cancellation as c
    where c.transaction_key = reconcile.name_key(named.transaction_id)
        and c.transaction_id = named.transaction_id
        and c.run_no < (select t.run_no from reconcile.run as t where t.run_id = $1)
        and exists (
            select from reconcile.run as r where r.run_no = c.run_no and r.state = 'published'
        ) is true
    order by c.run_no desc, c.is_reversed desc
    limit 1
) as last
