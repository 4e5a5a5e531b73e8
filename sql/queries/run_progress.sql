-- The state of a run, whether its users are cut into batches, how many of these are unfinished,
-- without those of a list, and whether users wait to be cut into groups of the second look.
-- $1 text run_id, $2 int[] batches that the worker holds. No locks. Indexes batch_not_done and
-- second_look_group.
select
    r.state,
    r.cut_at is not null as is_cut,
    (
        select count(*)
        from reconcile.batch as b
        where b.run_id = $1 and b.done_at is null and b.batch_no <> all($2::int[])
    ) as batches,
    exists (
        select from reconcile.second_look as s where s.run_id = $1 and s.batch_no is null
    ) as has_uncut_users
from reconcile.run as r
where r.run_id = $1
