-- Cuts the users put off to the second look into groups of at most $2, as batches, once all other
-- users are recorded. Does nothing before that, or a second time. Returns the number of groups and
-- users.
-- $1 text run_id, $2 int users a group at most.
-- Locks: the run's row, those users and the new rows. Indexes batch_not_done and second_look_group;
-- the primary key of the batches.
with opened as (
    update reconcile.run as r
    set second_look_at = now()
    where r.run_id = $1
        and r.state = 'open'
        and r.second_look_at is null
        and not exists (
            select from reconcile.batch as b where b.run_id = $1 and b.done_at is null
        )
    returning r.run_id
),
last as (
    select coalesce(max(b.batch_no), 0) as batch_no
    from reconcile.batch as b
    where b.run_id = $1
),
numbered as (
    select
        s.ctid as row_id,
        last.batch_no
        + 1
        + ((row_number() over (order by s.user_id collate "C") - 1) / $2::int)::int as batch_no
    from reconcile.second_look as s
    cross join opened
    cross join last
    where s.run_id = $1 and s.batch_no is null
),
grouped as (
    update reconcile.second_look as s
    set batch_no = numbered.batch_no
    from numbered
    where s.ctid = numbered.row_id
    returning s.batch_no
),
inserted as (
    insert into reconcile.batch (run_id, batch_no, look, users)
    select $1, batch_no, 2, count(*)
    from grouped
    group by batch_no
    returning users
)
select count(*) as groups, coalesce(sum(users), 0) as users
from inserted
