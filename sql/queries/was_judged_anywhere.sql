-- The same by all users of the run.
-- $1 text run_id, $2 text user_id. No locks. Index user_result_batch; reads the run's users whole.
select exists(
    select
    from reconcile.user_result as u
    where u.run_id = $1 and u.user_id = $2
) as was_judged
