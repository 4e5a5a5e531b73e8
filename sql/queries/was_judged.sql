-- Whether a run has recorded a user, looked up by the batches whose range may include the id. The
-- view's collation may differ from this one, so false is not proof. The limit keeps the planner
-- from reading all users of the run.
-- $1 text run_id, $2 text user_id. No locks. Indexes batch_pkey, user_result_batch.
select exists(
    select
    from reconcile.batch as b
    cross join lateral (
        select u.user_id
        from reconcile.user_result as u
        where u.run_no = (select run_no from reconcile.run where run_id = $1)
            and u.batch_no = b.batch_no and u.user_id = $2
        limit 1
    ) as found
    where b.run_id = $1
        and (b.first_user is null or $2 between b.first_user and b.last_user)
) as was_judged
