-- Deletes what the batches of a run saw, once it has been compared, and what runs left behind that
-- ended before they came to that.
-- $1 text run_id. Locks: the rows. One pass over each table; primary key of the runs.
with subscriptions as (
    delete from reconcile.sighted_subscription as s
    where s.run_id = $1
        or exists (
            select from reconcile.run as r where r.run_id = s.run_id and r.state <> 'open'
        )
),
users as (
    delete from reconcile.undecided_user as u
    where u.run_id = $1
        or exists (
            select from reconcile.run as r where r.run_id = u.run_id and r.state <> 'open'
        )
)
delete from reconcile.sighted_product as p
where p.run_id = $1
    or exists (select from reconcile.run as r where r.run_id = p.run_id and r.state <> 'open')
