-- Ten stored receipts, newest first. Texts over 32 MiB are cut.
-- No parameters. No locks. Reads one column of the view completely.
select
    case
        when octet_length(receipt_data) <= 33554432 then receipt_data
        else left(receipt_data, 1000)
    end as receipt_data
from reconcile.stored_receipts
order by stored_at desc nulls last, receipt_id
limit 10
