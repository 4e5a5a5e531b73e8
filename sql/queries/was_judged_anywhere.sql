-- Whether a run has recorded a user, looked up among all users of the run.
-- $1 text run_id, $2 text user_id. No locks. Index user_result_batch; reads all users of the run.
select exists(
    select
    from reconcile.user_result as u
    where u.run_no = (select run_no from reconcile.run where run_id = $1) and u.user_id = $2
) as was_judged
