-- Counts an attempt at a batch.
-- $1 text run_id, $2 int batch_no, $3 bigint its lease. Locks: the row. Primary key.
update reconcile.batch
set attempts = attempts + 1
where run_id = $1 and batch_no = $2::int and lease = $3::bigint and done_at is null
