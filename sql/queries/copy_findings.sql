-- Takes findings, in COPY's text format. {finding_columns} are those that FindingColumn lists.
-- No parameters. Locks: the new rows; the primary key refuses a finding met twice in a run.
copy reconcile.finding (run_id, {finding_columns})
from stdin
