-- The batches that a flush has recorded already: by a transaction whose COMMIT was not answered.
-- While that transaction is still at it, waits for its end.
-- $1 text run_id, $2 int[] batches, $3 bigint the number of the flush. Returns each batch, and
-- whether the flush has recorded it. Locks: the rows. Primary key.
select
    batch_no,
    flush_no is not distinct from $3::bigint as is_recorded
from reconcile.batch
where run_id = $1 and batch_no = any($2::int[])
order by batch_no
for update
