-- Records that a worker gets no answers. Must be committed before other workers are counted, so
-- that two workers without answers do not count each other.
-- $1 int worker_no. Locks: the row. Primary key.
update reconcile.worker set answered_at = null where worker_no = $1::int
