-- Whether a flush has already recorded each of its batches, in a transaction whose COMMIT had no
-- response. Waits for that transaction to end. Returns the batches and whether they are recorded.
-- $1 text run_id, $2 int[] batches, $3 bigint the number of the flush. Locks: the rows. Primary
-- key.
select
    batch_no,
    flush_no is not distinct from $3::bigint as is_recorded
from reconcile.batch
where run_id = $1 and batch_no = any($2::int[])
order by batch_no
for update
