-- Copies findings, in COPY's text format. {finding_columns} are those of FindingColumn.
-- No parameters. Locks: the new rows. The primary key rejects a repeated finding in a run.
copy reconcile.finding (run_id, {finding_columns})
from stdin
