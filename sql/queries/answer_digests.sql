-- The digests of the answers that findings of a batch come of, by their questions: of one batch, or
-- of any, but rather of that one; the first that was recorded of several, as in find_answers.
-- $1 text run_id, $2 bytea[] questions, $3 int batch_no, $4 boolean whether any batch will do.
-- No locks. Index answer_question.
select distinct on (question)
    question,
    encode(sha256(body), 'hex') as body_sha256
from reconcile.answer
where run_id = $1
    and question = any($2::bytea[])
    and body is not null
    and ($4::boolean or batch_no = $3::int)
order by question, batch_no <> $3::int, lease
