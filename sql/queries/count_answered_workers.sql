-- How many other workers of a run are alive and have had answers within the last seconds.
-- $1 text run_id, $2 int our own worker_no, $3 double precision seconds.
-- No locks. Reads the workers, a few rows.
select count(*) as workers
from reconcile.worker as w
inner join reconcile.live_worker as l on l.worker_no = w.worker_no
where w.run_id = $1
    and w.worker_no <> $2::int
    and w.answered_at > clock_timestamp() - make_interval(secs => $3::double precision)
