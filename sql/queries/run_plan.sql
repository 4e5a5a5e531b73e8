-- The batches and users of a run, and the last user of the last range.
-- $1 text run_id. No locks. Primary key.
select
    count(*) as batches,
    coalesce(sum(users), 0) as users,
    (
        select last_user
        from reconcile.batch
        where run_id = $1 and last_user is not null
        order by batch_no desc
        limit 1
    ) as last_user
from reconcile.batch
where run_id = $1
