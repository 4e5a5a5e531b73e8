-- Gives their digests to the answers of a run that some of its findings name: these are kept.
-- $1 text run_id, $2 text from which finding_id, $3 text up to which, or null. Locks: the rows.
-- Primary key of the findings, indexes outcome_receipt and answer_question: named one after the
-- other, since a run is read here of which the planner knows nothing yet.
update reconcile.answer as a
set body_sha256 = sha256(a.body)
from (
    select distinct place.ctid as place
    from reconcile.finding as f
    cross join lateral (
        select o.question
        from reconcile.outcome as o
        where o.run_id = $1
            and md5(o.receipt_id) = md5(f.receipt_id)
            and o.receipt_id = f.receipt_id
        limit 1
    ) as asked
    cross join lateral (
        select w.ctid
        from reconcile.answer as w
        where w.run_id = $1
            and w.question = asked.question
            and w.body is not null
            and w.body_sha256 is null
        offset 0
    ) as place
    where f.run_id = $1
        and f.finding_id >= $2
        and ($3::text is null or f.finding_id < $3)
        and f.evidence_sha256 is not null
) as cited
where a.ctid = cited.place
