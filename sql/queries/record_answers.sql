-- Records that a worker gets answers.
-- $1 int worker_no. Locks: the row. Primary key.
update reconcile.worker set answered_at = clock_timestamp() where worker_no = $1::int
