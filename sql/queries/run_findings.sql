-- The findings of one report, in report order (UTF-8 bytes, nulls first). {finding_columns} are
-- those of FindingColumn.
-- $1 text run_id, $2 text[] the report's kinds. No locks. Primary key, then a sort.
select {finding_columns}
from reconcile.finding
where run_id = $1 and kind = any($2::text[])
order by
    severity_rank,
    kind collate "C",
    coalesce(user_id, '') collate "C",
    coalesce(entitlement_id, '') collate "C",
    coalesce(original_transaction_id, '') collate "C",
    coalesce(transaction_id, '') collate "C",
    coalesce(receipt_id, '') collate "C",
    finding_id collate "C"
