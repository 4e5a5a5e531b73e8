-- How many other workers of a run are alive and have not noted that they get no answers.
-- $1 text run_id, $2 int our own worker_no. No locks. Reads the workers, a few rows.
select count(*)
from reconcile.worker as w
inner join reconcile.live_worker as l on l.worker_no = w.worker_no
where w.run_id = $1 and w.worker_no <> $2::int and w.cut_off_at is null
