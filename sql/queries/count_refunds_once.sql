-- Removes the amount and its explanation from refunds that several users' receipts contain, except
-- in the first row in report order: totals count each refund once.
-- $1 text run_id. Locks: the rows. Primary key, then a sort of the run's refunds.
with repeated as (
    select
        finding_id,
        row_number() over (
            partition by reference collate "C"
            order by
                (estimated_amount is null),
                coalesce(user_id, '') collate "C",
                coalesce(original_transaction_id, '') collate "C",
                coalesce(receipt_id, '') collate "C",
                finding_id
        ) as ordinal
    from reconcile.finding
    where run_id = $1 and kind = 'refund_recorded'
)
update reconcile.finding as f
set
    estimated_amount = null,
    currency = null,
    no_amount = 'counted_elsewhere',
    explanation = regexp_replace(explanation, ' \(estimate: [^()]*\)\.$', '.')
from repeated
where f.run_id = $1
    and f.finding_id = repeated.finding_id
    and repeated.ordinal > 1
    and f.estimated_amount is not null
