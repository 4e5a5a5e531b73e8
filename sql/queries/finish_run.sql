-- Ends an open run; returns it, or nothing when it had another end already, or is published by
-- another worker.
-- $1 text run_id, $2 text state, $3 timestamptz finished_at, $4 bigint the fencing number of the
-- publication, or null for an end without one. Locks: the row. Primary key.
update reconcile.run
set
    state = $2,
    finished_at = coalesce(finished_at, $3::timestamptz)
where run_id = $1
    and state in ('open', $2)
    and ($4::bigint is null or publication_no = $4::bigint)
returning run_id
