-- Stores Apple's notice of the end of an API: its name, header lines and dates.
-- $1 text run_id, $2 text api, $3 text deprecation, $4 timestamptz since, $5 text sunset,
-- $6 timestamptz end. Locks: the row. Primary key.
update reconcile.run
set
    retired_api = $2,
    deprecation_header = $3,
    deprecated_at = $4::timestamptz,
    sunset_header = $5,
    ends_at = $6::timestamptz
where run_id = $1
