-- Stores Apple's notice of the end of verifyReceipt: header lines and dates.
-- $1 text run_id, $2 text deprecation, $3 timestamptz since, $4 text sunset, $5 timestamptz end.
-- Locks: the row. Primary key.
update reconcile.run
set
    deprecation_header = $2,
    deprecated_at = $3::timestamptz,
    sunset_header = $4,
    ends_at = $5::timestamptz
where run_id = $1
