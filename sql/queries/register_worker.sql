-- Begins the chain of a worker's flushes, and registers the worker if its row was lost. Repeated
-- when the worker begins another run, or when its commits were lost.
-- $1 int worker_no, $2 text run_id, $3 text name, $4 bigint the first number of the chain. Locks:
-- the row. Primary key.
insert into reconcile.worker (worker_no, run_id, name, flush_no)
values ($1::int, $2, $3, $4::bigint)
on conflict (worker_no) do update
set run_id = excluded.run_id, flush_no = excluded.flush_no, is_leaving = false
