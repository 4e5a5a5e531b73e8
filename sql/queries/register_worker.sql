-- Registers this session's process as a worker of a run; returns its number.
-- $1 text run_id, $2 text name. Locks: the new row.
insert into reconcile.worker (run_id, name) values ($1, $2)
returning worker_no
