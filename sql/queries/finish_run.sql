-- Ends an open run; returns it, or nothing when it had another end already.
-- $1 text run_id, $2 text state, $3 timestamptz finished_at, $4 text evidence to keep.
-- Locks: the row. Primary key.
update reconcile.run
set
    state = $2,
    finished_at = coalesce(finished_at, $3::timestamptz),
    evidence = coalesce(evidence, $4)
where run_id = $1 and state in ('open', $2)
returning run_id
