-- The transactions that earlier runs saw cancelled: those of some users, as they were last seen of
-- that user, and some transactions as they were last seen of anybody.
-- $1 text the run's id, $2 text[] users, $3 text[] transactions. Returns a user (null: anybody),
-- transaction, time and two flags; of anybody, whether any user's refund was reported, and whether
-- it was last said to be taken back. No locks. Indexes cancellation_user and
-- cancellation_transaction. `is true` as in past_findings.
with this as (
    select run_no from reconcile.run where run_id = $1
)
select
    named.user_id,
    last.transaction_id,
    reconcile.milliseconds(last.cancelled_at) as cancelled_at,
    last.is_reported,
    last.is_reversed
from unnest($2::text[]) as named (user_id)
cross join lateral (
    select distinct on (c.transaction_id collate "C")
        c.transaction_id,
        c.cancelled_at,
        c.is_reported,
        c.is_reversed
    from reconcile.cancellation as c
    where c.user_key = reconcile.name_key(named.user_id)
        and c.run_no < (select run_no from this)
        and exists (
            select from reconcile.run as r where r.run_no = c.run_no and r.state = 'published'
        ) is true
    order by c.transaction_id collate "C", c.run_no desc
) as last
union all
select
    null as user_id,
    named.transaction_id,
    reconcile.milliseconds(last.cancelled_at) as cancelled_at,
    last.is_reported,
    last.is_reversed
from unnest($3::text[]) as named (transaction_id)
cross join lateral (
    select
        c.cancelled_at,
        bool_or(c.is_reported) over () as is_reported,
        c.is_reversed
    from reconcile.cancellation as c
    where c.transaction_key = reconcile.name_key(named.transaction_id)
        and c.transaction_id = named.transaction_id
        and c.run_no < (select run_no from this)
        and exists (
            select from reconcile.run as r where r.run_no = c.run_no and r.state = 'published'
        ) is true
    order by c.run_no desc, c.is_reversed desc
    limit 1
) as last
