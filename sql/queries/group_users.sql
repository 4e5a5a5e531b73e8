-- The users of a second look's group who are not recorded, with the results of the first pass: one
-- row per refused receipt.
-- $1 text run_id, $2 int batch_no. No locks. Indexes second_look_group and user_result_batch.
select
    s.user_id,
    refused.receipt_id,
    refused.refused_by
from reconcile.second_look as s
cross join lateral unnest(s.refused_receipts, s.refused_by) as refused (receipt_id, refused_by)
where s.run_id = $1
    and s.batch_no = $2::int
    and not exists (
        select
        from reconcile.user_result as r
        where r.run_no = (select run_no from reconcile.run where run_id = $1)
            and r.batch_no = $2::int
            and r.user_id = s.user_id
    )
order by s.user_id collate "C", refused.receipt_id collate "C"
