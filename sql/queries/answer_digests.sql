-- The digests of the answers that findings of a batch come of, by their questions: of one batch, or
-- of any, but rather of that one; the first that was recorded of several, as in find_answers.
-- $1 text run_id, $2 bytea[] questions, $3 int batch_no, $4 boolean whether any batch will do.
-- No locks. Index answer_question, for one question after the other: the planner knows nothing yet
-- of a run that is on.
select
    asked.question,
    encode(sha256(answer.body), 'hex') as body_sha256
from unnest($2::bytea[]) as asked (question)
cross join lateral (
    select a.body
    from reconcile.answer as a
    where a.run_id = $1
        and a.question = asked.question
        and a.body is not null
        and ($4::boolean or a.batch_no = $3::int)
    order by a.batch_no <> $3::int, a.lease, a.batch_no
    limit 1
) as answer
