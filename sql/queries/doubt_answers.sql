-- Marks refusals of a batch as not believed: they turned out to be of a storm.
-- $1 text run_id, $2 int batch_no, $3 bytea[] questions. Locks: the rows. Index answer_question.
update reconcile.answer
set outcome = 'unverified', cause = 'rejection_unconfirmed'
where run_id = $1
    and batch_no = $2::int
    and question = any($3::bytea[])
    and outcome = 'rejected'
