-- Runs that have ended and still have answers that are not to be kept.
-- No parameters, no locks. Index run_evidence_unsettled.
select run_id, coalesce(evidence, 'none') as evidence
from reconcile.run
where not is_evidence_settled and state <> 'open'
order by run_id
