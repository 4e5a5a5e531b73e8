-- The findings that a run cleared, with the columns of their last report, in report order (UTF-8
-- bytes, nulls first). {finding_columns} are those of FindingColumn.
-- $1 text run_id. No locks. Primary keys, then a sort.
select {finding_columns}
from reconcile.finding
where (run_id, finding_id) in (
    select c.last_run_id, c.finding_id
    from reconcile.cleared_finding as c
    where c.run_id = $1
)
order by
    severity_rank,
    kind collate "C",
    coalesce(user_id, '') collate "C",
    coalesce(entitlement_id, '') collate "C",
    coalesce(original_transaction_id, '') collate "C",
    coalesce(transaction_id, '') collate "C",
    coalesce(receipt_id, '') collate "C",
    finding_id collate "C"
