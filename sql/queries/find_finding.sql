-- A finding as a run has it. {finding_columns} are those that FindingColumn lists.
-- $1 text run_id, $2 text finding_id. No locks. Primary key.
select {finding_columns}
from reconcile.finding
where run_id = $1 and finding_id = $2
