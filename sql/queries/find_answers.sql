-- The answers to some questions: of one batch, or of any, but rather of that one; the first that
-- was recorded of several.
-- $1 text run_id, $2 bytea[] questions, $3 int batch_no, $4 boolean whether any batch will do.
-- No locks. Index answer_question.
select distinct on (question)
    question,
    receipt_id,
    outcome,
    cause,
    attempts,
    last_status,
    last_http_status,
    detail,
    reconcile.milliseconds(answered_at) as answered_at,
    environment,
    requests_production,
    requests_sandbox,
    requests_retries,
    requests_by_status,
    requests_by_http_status,
    body
from reconcile.answer
where run_id = $1
    and question = any($2::bytea[])
    and ($4::boolean or batch_no = $3::int)
order by question, batch_no <> $3::int, lease, batch_no
