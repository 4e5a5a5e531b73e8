-- One finding of a run. {finding_columns} are those of FindingColumn.
-- $1 text run_id, $2 text finding_id. No locks. Primary key.
select {finding_columns}
from reconcile.finding
where run_id = $1 and finding_id = $2
