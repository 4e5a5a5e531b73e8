-- Marks that the users of a run are compared; returns no row when that was done before.
-- $1 text run_id. Locks: the row. Primary key.
update reconcile.run
set compared_at = now()
where run_id = $1 and compared_at is null
returning run_id
