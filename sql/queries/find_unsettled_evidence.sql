-- Runs that have ended and still have answers that are not to be kept, and about how many answers
-- each has: those of its batches that are done, for of others there are a few hundred.
-- No parameters, no locks. Index run_evidence_unsettled, primary key of the batches.
select
    run_id,
    coalesce(evidence, 'none') as evidence,
    (
        select coalesce(sum(receipts_in_scope), 0)
        from reconcile.batch
        where batch.run_id = run.run_id
    ) as receipts
from reconcile.run
where not is_evidence_settled and state <> 'open'
order by run_id
