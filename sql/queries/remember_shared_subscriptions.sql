-- Keeps whose receipts show the subscriptions that a run found to be shared, where it is news: who
-- shows one now, and who was read and shows it no more.
-- $1 text run_id, $2 text the kind of the findings. Locks: the new rows. One pass over what the run
-- saw and found, and over what earlier runs kept.
with this as (
    select run_no from reconcile.run where run_id = $1 and makes_history
),
past as (
    select distinct on (c.original_transaction_id, c.user_id)
        c.original_transaction_id,
        c.user_id,
        c.is_shown
    from reconcile.shared_subscription_change as c
    inner join reconcile.run as r on r.run_no = c.run_no
    cross join this
    where c.run_no < this.run_no and r.state = 'published'
    order by c.original_transaction_id, c.user_id, c.run_no desc
)
insert into reconcile.shared_subscription_change (
    run_no, is_shown, original_transaction_id, user_id
)
select this.run_no, true, s.original_transaction_id, s.user_id
from reconcile.sighted_subscription as s
cross join this
where s.run_id = $1
    and s.original_transaction_id in (
        select f.original_transaction_id collate "C"
        from reconcile.finding as f
        where f.run_id = $1 and f.kind = $2
    )
    and not exists (
        select from past
        where past.is_shown
            and past.original_transaction_id = s.original_transaction_id
            and past.user_id = s.user_id
    )
union all
select this.run_no, false, past.original_transaction_id, past.user_id
from past
cross join this
where past.is_shown
    and not exists (
        select from reconcile.sighted_subscription as s
        where s.run_id = $1
            and s.original_transaction_id = past.original_transaction_id
            and s.user_id = past.user_id
    )
    and not exists (
        select from reconcile.undecided_user as u
        where u.run_id = $1 and u.lacks_evidence and u.user_id = past.user_id
    )
