-- Marks that the users of a run are compared; returns no row when that was done before, or another
-- worker publishes the run.
-- $1 text run_id, $2 bigint the fencing number of the publication, or null. Locks: the row. Primary
-- key.
update reconcile.run
set compared_at = now()
where run_id = $1
    and compared_at is null
    and ($2::bigint is null or publication_no = $2::bigint)
returning run_id
