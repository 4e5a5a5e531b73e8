-- The findings of a run, ordered by id. {finding_columns} are those of FindingColumn.
-- $1 text run_id. No locks. Primary key, then a sort.
select {finding_columns}
from reconcile.finding
where run_id = $1
order by finding_id collate "C"
