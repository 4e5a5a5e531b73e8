-- Notes that only those answers of a run are left that are kept.
-- $1 text run_id. Locks: the row. Primary key.
update reconcile.run
set is_evidence_settled = true
where run_id = $1
