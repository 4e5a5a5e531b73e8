-- Notes that a worker waits for answers no longer. To be committed before others are counted: of
-- two that note it at once, none then takes the other for one that has answers.
-- $1 int worker_no. Locks: the row. Primary key.
update reconcile.worker set answered_at = null where worker_no = $1::int
