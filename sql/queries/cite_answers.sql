-- Gives their digests to the answers of a run that its findings name, so that these are kept.
-- $1 text run_id. Locks: the rows. Indexes outcome_receipt and answer_question; one pass over the
-- findings of the run.
update reconcile.answer as a
set body_sha256 = sha256(a.body)
from (
    select distinct o.question
    from reconcile.finding as f
    inner join reconcile.outcome as o
        on o.run_id = $1
        and md5(o.receipt_id) = md5(f.receipt_id)
        and o.receipt_id = f.receipt_id
    where f.run_id = $1 and f.evidence_sha256 is not null
) as cited
where a.run_id = $1
    and a.question = cited.question
    and a.body is not null
    and a.body_sha256 is null
