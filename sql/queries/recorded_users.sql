-- The users of a batch who are recorded or put off to a second look.
-- $1 text run_id, $2 int batch_no. No locks. Indexes user_result_batch and second_look_put_off.
select user_id
from reconcile.user_result
where run_no = (select run_no from reconcile.run where run_id = $1)
    and batch_no = $2::int
    and user_id is not null
union all
select user_id
from reconcile.second_look
where run_id = $1 and put_off_by = $2::int
