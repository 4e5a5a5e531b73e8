-- Ends an open run; returns it, or nothing when it was not open any more.
-- $1 text run_id, $2 text state, $3 timestamptz finished_at. Locks: the row. Primary key.
update reconcile.run
set state = $2, finished_at = $3::timestamptz
where run_id = $1 and state = 'open'
returning run_id
